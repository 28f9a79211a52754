import type { DelegationOptions } from '@gatehouse/contract/directory/delegation'
import { beforeAll, expect, test } from 'vitest'
import { activateLanguage, loadMessages, t } from '../../../i18n/i18n.ts'
import {
  delegateValues,
  delegationInput,
  grantsAnything,
  presetOf,
  presetOptions,
  rightsInWords,
} from './delegation-rights.ts'

beforeAll(async () => {
  await activateLanguage('en')
  await loadMessages('usersettings')
})

test('rights survive a round trip through the dialog', () => {
  const values = delegateValues('ned@acme.test', { mail: 'read-only', send_as: true })
  expect(values).toMatchObject({ mail: 'read-only', event: '', send_as: true })
  expect(delegationInput(values)).toEqual({
    ...{ mail: 'read-only', event: null, task: null, contact: null, send_as: true },
  })
  expect(grantsAnything(values)).toBe(true)
  expect(grantsAnything(delegateValues('ned@acme.test', { send_as: true }))).toBe(false)
})

const all = { mail: 'read-write', event: 'read-write', task: 'read-write', contact: 'read-write' } as const

test.each<[string, DelegationOptions, string]>([
  ['everything and send as', { ...all, send_as: true }, 'assistant'],
  ['everything', { ...all, send_as: false }, 'custom'],
  ['all but one', { ...all, task: 'read-only', send_as: true }, 'custom'],
  ['nothing but mail', { mail: 'read-only', send_as: false }, 'custom'],
  ['a look at everything', presetOptions.deputy ?? { send_as: true }, 'deputy'],
])('who is granted %s is known by the preset', (_, options, preset) => {
  expect(presetOf(options)).toBe(preset)
  expect(delegateValues('ned@acme.test', options).preset).toBe(preset)
})

test('a new delegate may view everything by default', () => {
  expect(delegationInput(delegateValues(''))).toEqual({
    ...{ mail: 'read-only', event: 'read-only', task: 'read-only', contact: 'read-only', send_as: false },
  })
})

test.each<[DelegationOptions, string[]]>([
  [
    { ...all, send_as: true },
    ['Can edit mail, calendar, tasks and contacts', 'Can send mail as jane@acme.test'],
  ],
  [{ mail: 'read-only', event: 'read-write', send_as: false }, ['Can edit calendar', 'Can view mail']],
])('rights are said in words: %j', (options, words) => {
  expect(rightsInWords(t, options, 'jane@acme.test')).toEqual(words)
})
