import { expect, test } from 'vitest'
import { ManualClock } from '../../platform/clock.ts'
import { decide } from '../decision.ts'
import type { PolicyRequest } from '../protocols/policy/policy-request.ts'
import { ManualTimers } from '../protocols/testing/manual-timers.ts'
import { MessageRecipients } from './message-recipients.ts'
import { PolicyGuard } from './policy-answers.ts'
import { RecipientPolicy } from './recipient-policy.ts'
import type { GatewayPolicies } from './services.ts'

const nothing = () => undefined
const log = { fatal: nothing, error: nothing, warn: nothing, info: nothing, debug: nothing }
const accepted = async () => decide('greylist.waited')

/** Policies that accept everything; mail of users who signed in is slowed. */
const policies: GatewayPolicies = {
  spf: {
    judge: async () => ({
      decision: decide('sender.unverified'),
      proof: { authentication: null, spfFailed: false },
    }),
  },
  lists: { decide: async () => undefined },
  greylist: { decide: accepted, learn: async () => undefined },
  rate: { decide: async () => decide('rate.slowed', { delay: 10 }) },
}

const request: PolicyRequest = {
  ...{ state: 'DATA', protocol: 'ESMTP', instance: '1', queueId: 'Q1', clientAddress: '192.0.2.1' },
  ...{ clientName: 'unknown', reverseClientName: 'unknown', heloName: 'a.test', sender: 'jane@acme.test' },
  ...{ recipient: 'ann@far.test', recipientCount: 1, size: 0, saslUsername: 'jane@acme.test' },
  ...{ saslMethod: 'PLAIN', attributes: new Map() },
}

function makePolicy(longestDelay = 60_000) {
  const timers = new ManualTimers()
  const policy = new RecipientPolicy({
    ...{ policies, timers, longestDelay, hasMilter: false },
    guard: new PolicyGuard([], log),
    recipients: new MessageRecipients(new ManualClock(new Date('2026-03-10T11:00:00Z'))),
  })
  const answered: string[] = []
  const ask = async (change: Partial<PolicyRequest> = {}, signal?: AbortSignal) => {
    const { action } = await policy.answer({ ...request, ...change }, signal)
    answered.push(action)
  }
  return { timers, answered, ask }
}

const nextTurn = () => new Promise(setImmediate)

test('mail that is slowed is answered after the delay, and other requests meanwhile', async () => {
  const { timers, answered, ask } = makePolicy()
  const slowed = ask()
  await ask({ state: 'RCPT', saslUsername: '' })
  expect(answered).toEqual(['dunno'])
  timers.advance(9999)
  await nextTurn()
  expect(answered).toHaveLength(1)
  timers.advance(1)
  await slowed
  expect(answered).toEqual(['dunno', 'dunno'])
})

test('the delay is limited by the time that the mail server waits', async () => {
  const { timers, ask } = makePolicy(4000)
  const slowed = ask()
  await nextTurn()
  timers.advance(4000)
  await slowed
  expect(timers.pending).toBe(0)
})

test('the delay ends when the client is gone', async () => {
  const { timers, ask } = makePolicy()
  const client = new AbortController()
  const slowed = ask({}, client.signal)
  await nextTurn()
  client.abort()
  await slowed
  expect(timers.pending).toBe(0)
})

test('a flood of slowed mail is not delayed without limit', async () => {
  const { timers, answered, ask } = makePolicy()
  const asked = Array.from({ length: 60 }, () => ask())
  await nextTurn()
  expect(timers.pending).toBe(50)
  expect(answered).toHaveLength(10)
  timers.advance(10_000)
  await Promise.all(asked)
})
