import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { actionOf } from '../reasons.ts'
import {
  type AddressOwner,
  type SubmissionFacts,
  submission,
  submissionFacts,
  withoutTag,
} from './submission.ts'

const jane = {
  userId: 1,
  addresses: ['jane@acme.test', 'info@acme.test'],
  isService: false,
  isSuspended: false,
}
const noReply = { userId: 9, addresses: ['noreply@acme.test'], isService: true, isSuspended: false }
const boss: AddressOwner = { kind: 'user', userId: 2, isSuspended: false, letsCallerSend: true }
const list: AddressOwner = { kind: 'list', isSuspended: false, letsCallerSend: true }
const folder: AddressOwner = { kind: 'shared-folder', isSuspended: false, letsCallerSend: true }

const facts = (
  sender: string,
  senderOwner: AddressOwner | null = null,
  more: Partial<SubmissionFacts> = {},
) => ({ caller: jane, sender, senderOwner, authors: null, ...more }) satisfies SubmissionFacts
const reason = (...given: Parameters<typeof facts>) => submission(facts(...given)).reason

describe('the envelope sender', () => {
  test.each([
    ['the own address', 'jane@acme.test', null, 'submission.own-address'],
    ['the own address in other letters', '<Jane@ACME.test>', null, 'submission.own-address'],
    ['the own address with a tag', 'jane+news@acme.test', null, 'submission.own-address'],
    ['an alias', 'info@acme.test', null, 'submission.alias'],
    ['an address of a delegator', 'boss@acme.test', boss, 'submission.delegate'],
    ['a suspended delegator', 'boss@acme.test', { ...boss, isSuspended: true }, 'submission.suspended'],
    [
      'a user who does not let the caller send',
      'boss@acme.test',
      { ...boss, letsCallerSend: false },
      'submission.not-allowed',
    ],
    ['a list', 'team@acme.test', list, 'submission.list'],
    ['a list that is closed', 'team@acme.test', { ...list, letsCallerSend: false }, 'submission.not-allowed'],
    ['a suspended list', 'team@acme.test', { ...list, isSuspended: true }, 'submission.not-allowed'],
    ['a shared folder', 'sales@acme.test', folder, 'submission.shared-folder'],
    ['an address of nobody', 'ghost@acme.test', null, 'submission.not-allowed'],
    ['another server', 'jane@evil.test', null, 'submission.not-allowed'],
    ['the null sender', '', null, 'submission.invalid-sender'],
    ['no address', 'jane', null, 'submission.invalid-sender'],
    ['two addresses', 'jane@acme.test,boss@acme.test', null, 'submission.not-allowed'],
    ['a line break', 'jane@acme.test\r\nX: y', null, 'submission.invalid-sender'],
    ['a line break before', 'x\r\njane@acme.test', null, 'submission.invalid-sender'],
  ] as const)('that is %s', (_, sender, owner, expected) => {
    expect(reason(sender, owner)).toBe(expected)
  })
})

describe('a caller', () => {
  test('who is unknown sends as nobody', () => {
    expect(reason('jane@acme.test', null, { caller: null })).toBe('submission.unknown-user')
  })

  test('who is suspended sends as nobody, with a delegation neither', () => {
    const caller = { ...jane, isSuspended: true }
    expect(reason('jane@acme.test', null, { caller })).toBe('submission.suspended')
    expect(reason('boss@acme.test', boss, { caller })).toBe('submission.suspended')
  })

  test('that is a service sends under its own address only', () => {
    expect(reason('noreply@acme.test', null, { caller: noReply })).toBe('submission.service-user')
    expect(reason('boss@acme.test', boss, { caller: noReply })).toBe('submission.not-allowed')
  })
})

describe('the author in the header', () => {
  const withAuthors = (...authors: readonly (readonly [string, AddressOwner | null])[]) =>
    submission(
      facts('jane@acme.test', null, { authors: authors.map(([address, owner]) => ({ address, owner })) }),
    )

  test.each([
    ['the same', [['jane@acme.test', null]], 'submission.own-address'],
    ['an alias', [['info@acme.test', null]], 'submission.own-address'],
    ['a delegator', [['boss@acme.test', boss]], 'submission.own-address'],
    ['somebody else', [['ceo@acme.test', null]], 'submission.not-allowed'],
    ['a suspended delegator', [['boss@acme.test', { ...boss, isSuspended: true }]], 'submission.suspended'],
    [
      'two',
      [
        ['jane@acme.test', null],
        ['ceo@acme.test', null],
      ],
      'submission.invalid-sender',
    ],
    ['nobody', [], 'submission.invalid-sender'],
  ] as const)('is %s', (_, authors, expected) => {
    expect(withAuthors(...authors).reason).toBe(expected)
  })

  test('that is not allowed is named in the facts', () => {
    expect(withAuthors(['ceo@acme.test', null]).facts.refused).toBe('ceo@acme.test')
  })
})

test('a decision can be replayed from its facts', () => {
  const decision = submission(facts('boss@acme.test', boss))
  expect(submission(submissionFacts.parse(JSON.parse(JSON.stringify(decision.facts))))).toEqual(decision)
})

test.each([
  ['jane+a+b@acme.test', 'jane@acme.test'],
  ['+jane@acme.test', '+jane@acme.test'],
  ['"a+b"@acme.test', '"a+b"@acme.test'],
  ['jane@a+b.test', 'jane@a+b.test'],
])('%s without its tag is %s', (address, plain) => {
  expect(withoutTag(address)).toBe(plain)
})

test('nobody sends under an address that is neither theirs nor given to them', () => {
  const owner = fc.constantFrom(null, { ...boss, letsCallerSend: false }, { ...list, letsCallerSend: false })
  const sender = fc.oneof(
    fc.string(),
    fc.emailAddress(),
    fc.constantFrom('jane@acme.test.evil.test', 'xjane@acme.test', 'jane@acme.test@evil.test'),
  )
  fc.assert(
    fc.property(sender, owner, (text, senderOwner) => {
      expect(actionOf(reason(text, senderOwner))).toBe('reject')
    }),
  )
})
