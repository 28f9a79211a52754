// @vitest-environment happy-dom
import type { AuditEvent } from '@gatehouse/contract/events'
import type { Language } from '@gatehouse/contract/language'
import { describe, expect, test } from 'vitest'
import { activateLanguage, loadMessages } from '../../i18n/i18n.ts'
import { sentenceOf } from './event-sentence.ts'

const jane = { actorId: 2, actor: 'jane@acme.test', actorName: 'Jane Doe' }
const me = { actorId: 1, actor: 'owner@acme.test' }

const entry = (event: string, more: Partial<AuditEvent> = {}): AuditEvent => ({
  ...{ id: '0', createdAt: '2026-03-10 12:00:00', event, title: `Label of ${event}` },
  ...{ objectType: 'user', objectId: 3, object: 'ned@acme.test', objectDeleted: false },
  ...{ actorId: null, actor: null, ip: null, comment: null, data: null },
  ...more,
})

const parts = (event: AuditEvent) => sentenceOf(event, 1, { storage: 'Storage' })
const told = (event: AuditEvent) =>
  parts(event)
    .map(({ text }) => text)
    .join('')

const file = { objectId: 1, object: 'owner@acme.test', data: { file: 'f', name: 'Budget.csv' } }
const group = { objectType: 'group', objectId: 7, object: 'crew@acme.test' }
const moved = { before: { email: 'ned@acme.test' }, after: { email: 'nelly@acme.test' } }

const cases: readonly [AuditEvent, Record<Language, string>][] = [
  [
    entry('file.created', { ...me, ...file }),
    {
      en: 'You created Budget.csv',
      de: 'Sie haben Budget.csv erstellt',
      fr: 'Vous avez créé Budget.csv',
      it: 'Lei ha creato Budget.csv',
    },
  ],
  [
    entry('user.updated', { ...jane, data: moved }),
    {
      en: 'Jane Doe changed the address of ned@acme.test',
      de: 'Jane Doe hat die Adresse von ned@acme.test geändert',
      fr: 'Jane Doe a modifié l’adresse de ned@acme.test',
      it: 'Jane Doe ha modificato l’indirizzo di ned@acme.test',
    },
  ],
  [
    entry('group.created', { ...jane, ...group }),
    {
      en: 'Jane Doe created the distribution list crew@acme.test',
      de: 'Jane Doe hat die Verteilerliste crew@acme.test erstellt',
      fr: 'Jane Doe a créé la liste de distribution crew@acme.test',
      it: 'Jane Doe ha creato la lista di distribuzione crew@acme.test',
    },
  ],
  [
    entry('user.second-factor-reset', {
      actorId: 9,
      actor: 'admin@example.test',
      byStaff: true,
      objectId: 1,
    }),
    {
      en: 'Support staff reset two-step verification for your account',
      de: 'Der Support hat die Zwei-Faktor-Anmeldung für Ihr Konto zurückgesetzt',
      fr: 'Le support a réinitialisé la validation en deux étapes pour votre compte',
      it: 'L’assistenza ha reimpostato la verifica in due passaggi per questo account',
    },
  ],
  [
    entry('domain.missing', { objectType: 'domain', object: 'acme.test' }),
    {
      en: 'Gatehouse no longer found the domain acme.test in DNS',
      de: 'Gatehouse hat die Domain acme.test nicht mehr im DNS gefunden',
      fr: 'Gatehouse a constaté que le domaine acme.test n’est plus dans le DNS',
      it: 'Gatehouse ha rilevato che il dominio acme.test non è più nel DNS',
    },
  ],
  [
    entry('sign-in.succeeded', { ...jane, objectId: 2, times: 3 }),
    {
      en: 'Jane Doe signed in 3 times',
      de: 'Jane Doe hat sich 3-mal angemeldet',
      fr: 'Jane Doe a ouvert une session 3 fois',
      it: 'Jane Doe ha effettuato l’accesso 3 volte',
    },
  ],
]

describe.each(['en', 'de', 'fr', 'it'] as const)('in %s', (language) => {
  test.each(cases.map(([event, words]) => [words[language], event] as const))('%s', async (words, event) => {
    await activateLanguage(language)
    await loadMessages('events', 'sentences')
    expect(told(event)).toBe(words)
  })
})

describe('in English', () => {
  test.each<[string, AuditEvent]>([
    ['You changed your account', entry('user.updated', { ...me, objectId: 1 })],
    ['Jane Doe changed your account', entry('user.updated', { ...jane, objectId: 1 })],
    ['Jane Doe changed their own account', entry('user.updated', { ...jane, objectId: 2 })],
    [
      'Support staff changed ned@acme.test',
      entry('user.updated', { ...jane, onBehalf: 'admin@example.test' }),
    ],
    ['Support staff created the user ned@acme.test', entry('user.created', { comment: 'command line' })],
    ['Someone downloaded Budget.csv through a link', entry('file.link-downloaded', file)],
    [
      'Gatehouse sent an e-mail to a@b.test, c@d.test, e@f.test, … (+1)',
      entry('mail.sent', { data: { recipients: ['a@b.test', 'c@d.test', 'e@f.test', 'g@h.test'] } }),
    ],
    [
      'Jane Doe let delayed mail from ann@far.test through to crew@acme.test',
      entry('mail.let-through', { ...jane, ...group, data: { sender: 'ann@far.test' } }),
    ],
    [
      'You allowed the sender .far.test',
      entry('mail.sender-allowed', { ...me, objectId: 1, data: { sender: '.far.test' } }),
    ],
    [
      'Jane Doe added the subscription Storage for the distribution list crew@acme.test',
      entry('group.sku-added', { ...jane, ...group, data: { sku: 'storage' } }),
    ],
    [
      'You changed the members of the distribution list crew@acme.test',
      entry('group.updated', {
        ...me,
        ...group,
        data: { before: { members: [] }, after: { members: ['a@b'] } },
      }),
    ],
    [
      'jane@acme.test deleted No. 3',
      entry('user.deleted', { actorId: 2, actor: 'jane@acme.test', object: null }),
    ],
  ])('%s', async (words, event) => {
    await activateLanguage('en')
    await loadMessages('events', 'sentences')
    expect(told(event)).toBe(words)
  })

  test.each<[string, AuditEvent]>([
    ['Label of user.levitated · ned@acme.test', entry('user.levitated', jane)],
    ['Label of user.constructor · ned@acme.test', entry('user.constructor', jane)],
    ['Label of user.levitated', entry('user.levitated', { ...me, objectId: 1 })],
    ['Label of delegation.created · ned@acme.test', entry('delegation.created', jane)],
    ['Label of file.created', entry('file.created', jane)],
  ])('an event without a sentence or its facts keeps its label: %s', async (words, event) => {
    await activateLanguage('en')
    await loadMessages('events', 'sentences')
    expect(told(event)).toBe(words)
  })

  test('names are inserted verbatim, whatever they contain', async () => {
    await activateLanguage('en')
    await loadMessages('events', 'sentences')
    const data = { file: 'f', name: '{actor} <b>and</b> #' }
    expect(parts(entry('file.created', { ...me, objectId: 1, data }))).toEqual([
      { kind: 'actor', text: 'You' },
      { kind: 'text', text: ' created ' },
      { kind: 'object', text: data.name },
    ])
  })
})
