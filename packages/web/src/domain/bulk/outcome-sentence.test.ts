// @vitest-environment happy-dom
import type { Batch } from '@gatehouse/contract/directory/bulk'
import { languages } from '@gatehouse/contract/language'
import { beforeEach, describe, expect, test } from 'vitest'
import { activateLanguage, loadMessages, t } from '../../i18n/i18n.ts'
import { outcomeSentence } from './outcome-sentence.ts'

const batch = (
  action: Batch['action'],
  counts: Partial<Batch['counts']>,
  objects = 'users',
): Pick<Batch, 'action' | 'objects' | 'counts'> => ({
  ...{ action, objects },
  counts: { open: 0, ok: 0, refused: 0, done: 0, failed: 0, skipped: 0, ...counts },
})

describe('the result of a bulk action', () => {
  beforeEach(async () => {
    await activateLanguage('en')
    await loadMessages('bulk')
  })

  test.each([
    ['suspend', 3, 'Suspended 3 users.'],
    ['resume', 1, 'Resumed 1 user.'],
    ['password-link', 2, 'Password link sent to 2 users.'],
    ['delete', 2, 'Deleted 2 users.'],
    ['restore', 2, 'Restored 2 users.'],
    ['package', 2, 'Changed the package of 2 users.'],
    ['join', 24, 'Added 24 users to the list.'],
    ['leave', 1, 'Removed 1 user from the list.'],
    ['create', 5, 'Created 5 users.'],
  ] as const)('says what %s did to %i users', (action, done, sentence) => {
    expect(outcomeSentence(t, batch(action, { done }))).toBe(sentence)
  })

  test('names the kind of objects, failures and skipped ones', () => {
    expect(outcomeSentence(t, batch('delete', { done: 2, failed: 1, skipped: 3 }, 'groups'))).toBe(
      'Deleted 2 lists, 1 failed, 3 skipped.',
    )
  })

  test('names a single object, if it was changed', () => {
    const name = 'bert@acme.test'
    expect(outcomeSentence(t, batch('suspend', { done: 1 }), name)).toBe('Suspended bert@acme.test.')
    expect(outcomeSentence(t, batch('suspend', { failed: 1 }), name)).toBe('Suspended 0 users, 1 failed.')
  })
})

test.each(languages)('the result is a whole sentence in %s', async (language) => {
  await activateLanguage(language)
  await loadMessages('bulk')
  const sentence = outcomeSentence(t, batch('delete', { done: 2, failed: 1 }, 'groups'))
  expect(sentence).toBe(
    {
      en: 'Deleted 2 lists, 1 failed.',
      de: '2 Verteilerlisten gelöscht, 1 fehlgeschlagen.',
      fr: 'Vous avez supprimé 2 listes, 1 en échec.',
      it: 'Eliminazione completata: 2 liste, 1 non riuscito.',
    }[language],
  )
})
