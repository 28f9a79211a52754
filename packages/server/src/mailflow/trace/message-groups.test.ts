import { expect, test } from 'vitest'
import { groupMessages } from './message-groups.ts'
import type { DecisionRow } from './traced-rows.ts'

const start = Date.parse('2026-03-10T12:00:00Z')

let counter = 0

/** A decision some minutes after the start. */
function row(minutes: number, reason: string, more: Partial<DecisionRow> = {}): DecisionRow {
  counter += 1
  return {
    id: `00000000-0000-7000-8000-${String(counter).padStart(12, '0')}`,
    decidedAt: new Date(start + minutes * 60_000),
    policy: reason.split('.')[0] ?? '',
    reason,
    direction: 'in',
    sender: 'ann@elsewhere.test',
    recipient: 'jane@acme.test',
    clientAddress: null,
    queueId: null,
    messageId: null,
    facts: {},
    isMatch: true,
    ...more,
  }
}

/** Reasons of each message. */
const groups = (...rows: DecisionRow[]) =>
  groupMessages(rows).map((group) => group.map(({ reason }) => reason))

const queue = (queueId: string) => ({ queueId })

test('a delayed message and its retries are one message', () => {
  const rows = [
    row(0, 'greylist.first-contact'),
    row(2, 'greylist.too-early'),
    row(9, 'greylist.waited', queue('A1')),
    row(10, 'sender.verified', queue('A1')),
  ]
  expect(groups(...rows)).toEqual([rows.map(({ reason }) => reason)])
})

test('the order of the input makes no difference', () => {
  const rows = [
    row(0, 'greylist.first-contact'),
    row(9, 'greylist.waited'),
    row(20, 'greylist.known-server', queue('B')),
  ]
  expect(groups(...rows.toReversed())).toEqual(groups(...rows))
})

test('all policies are asked again when a delayed message is sent again', () => {
  const attempt = (minutes: number, reason: string) => [row(minutes, 'sender.verified'), row(minutes, reason)]
  const rows = [...attempt(0, 'greylist.first-contact'), ...attempt(6, 'greylist.waited')]
  expect(groups(...rows)).toHaveLength(1)
})

test('a second decision of a policy begins another message', () => {
  expect(
    groups(row(0, 'greylist.known-server'), row(1, 'list.anyone'), row(2, 'greylist.known-server')),
  ).toEqual([['greylist.known-server'], ['greylist.known-server', 'list.anyone']])
})

test('a retry after more than eight hours is another message', () => {
  expect(groups(row(0, 'greylist.first-contact'), row(481, 'greylist.waited'))).toHaveLength(2)
  expect(groups(row(0, 'greylist.first-contact'), row(480, 'greylist.waited'))).toHaveLength(1)
})

test('a queue id joins the recipients of a message', () => {
  const rows = [
    row(0, 'list.anyone', { ...queue('A'), recipient: 'sales@acme.test' }),
    row(0, 'greylist.off', { ...queue('A'), recipient: 'bob@acme.test' }),
    row(0, 'rate.within-limits', { ...queue('A'), recipient: null }),
  ]
  expect(groups(...rows)).toHaveLength(1)
})

test.each([
  ['queue ids', queue('A'), queue('B')],
  ['senders', { sender: 'ann@elsewhere.test' }, { sender: 'bob@elsewhere.test' }],
  ['recipients', { recipient: 'jane@acme.test' }, { recipient: 'john@acme.test' }],
  ['directions', { direction: 'in' }, { direction: 'out' }],
] as const)('different %s are different messages', (_, one, other) => {
  expect(groups(row(0, 'list.anyone', one), row(1, 'greylist.off', other))).toHaveLength(2)
})

test('messages are ordered by their newest decision', () => {
  const rows = [
    row(0, 'greylist.first-contact'),
    row(3, 'greylist.off', { recipient: 'john@acme.test' }),
    row(5, 'greylist.waited'),
  ]
  expect(groups(...rows)).toEqual([['greylist.first-contact', 'greylist.waited'], ['greylist.off']])
})

test('a reason of another version is accepted like any other', () => {
  expect(groups(row(0, 'future.unknown'), row(1, 'future.unknown'))).toHaveLength(2)
})
