// @vitest-environment happy-dom
import type { FilterRule } from '@gatehouse/contract/mail/mail-filters'
import { beforeAll, expect, test } from 'vitest'
import { activateLanguage, loadMessages, t } from '../../i18n/i18n.ts'
import { draftOf, moved, ruleOf } from './rule-draft.ts'
import { ruleSentence } from './rule-sentence.ts'

beforeAll(async () => {
  await loadMessages('mailfilters')
  await activateLanguage('en')
})

const rule = (changes: Partial<FilterRule> = {}): FilterRule => ({
  ...{ name: 'Invoices', isEnabled: true, match: 'all', isLast: false },
  conditions: [{ field: 'from', test: 'ends-with', value: '@shop.test' }],
  actions: [{ kind: 'file', folder: 'Shop' }],
  ...changes,
})

const two: FilterRule['conditions'] = [
  { field: 'size', test: 'over', size: 512 },
  { field: 'header', header: 'X-Spam', test: 'is', value: 'Yes' },
]

test.each<[Partial<FilterRule>, string]>([
  [{}, 'If the sender ends with “@shop.test”: move to “Shop”.'],
  [
    { conditions: two },
    'If the message is larger than 512 KB and the field X-Spam is “Yes”: move to “Shop”.',
  ],
  [
    { conditions: two, match: 'any' },
    'If the message is larger than 512 KB or the field X-Spam is “Yes”: move to “Shop”.',
  ],
  [
    { conditions: [], actions: [{ kind: 'forward', address: 'a@b.test', keepCopy: true }], isLast: true },
    'For all messages: forward to a@b.test and keep a copy and skip later filters.',
  ],
  [{ actions: [{ kind: 'file', folder: '' }] }, 'If the sender ends with “@shop.test”: move to “…”.'],
])('a rule with %o is told as a sentence', (changes, sentence) => {
  expect(ruleSentence(t, rule(changes))).toBe(sentence)
})

test('a rule is the same after it was opened in the editor', () => {
  const whole = rule({
    conditions: [...two, { field: 'list', test: 'contains', value: 'dev' }],
    actions: [{ kind: 'flag' }, { kind: 'forward', address: 'a@b.test', keepCopy: false }],
  })
  expect(ruleOf(draftOf(whole), true)).toEqual(whole)
  const reject = rule({ actions: [{ kind: 'reject', text: 'No' }], isEnabled: false })
  expect(ruleOf(draftOf(reject), false)).toEqual(reject)
})

test('a rule moves by one place', () => {
  expect(moved(['a', 'b', 'c'], 2, -1)).toEqual(['a', 'c', 'b'])
  expect(moved(['a', 'b', 'c'], 0, 1)).toEqual(['b', 'a', 'c'])
})
