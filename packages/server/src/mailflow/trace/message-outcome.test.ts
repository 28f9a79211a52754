import type { MailOutcome } from '@gatehouse/contract/mail/mail-outcomes'
import type { MailStep } from '@gatehouse/contract/mail/mail-trace'
import { expect, test } from 'vitest'
import { outcomeOf } from './message-outcome.ts'

const jane = 'jane@acme.test'
const john = 'john@acme.test'

function decided(action: 'accept' | 'defer' | 'hold' | 'reject', recipient: string | null = jane): MailStep {
  return {
    ...{ kind: 'decision', at: '2026-03-10 12:00:00', recipient, policy: 'greylist', action },
    ...{ reason: 'greylist.off', code: 'G8', client: null, facts: {} },
  }
}

function logged(event: 'sent' | 'deferred' | 'bounced' | 'expired' | 'removed', recipient = jane): MailStep {
  return {
    ...{ kind: 'log', at: '2026-03-10 12:00:00', recipient, event, server: 'mx1' },
    ...{ client: null, relay: null, status: null, response: null, size: null },
  }
}

test.each<[MailOutcome, string, MailStep[]]>([
  ['accepted', 'an accepted message', [decided('accept')]],
  ['delayed', 'a delayed message', [decided('defer')]],
  ['accepted', 'a message that waited', [decided('defer'), decided('accept')]],
  ['delivered', 'a message that another server took', [decided('accept'), logged('sent'), logged('removed')]],
  ['delayed', 'a message that another server deferred', [decided('accept'), logged('deferred')]],
  ['delivered', 'a message sent at last', [logged('deferred'), logged('sent')]],
  ['bounced', 'a message that another server refused', [decided('accept'), logged('bounced')]],
  ['bounced', 'a message that expired', [logged('deferred'), logged('expired')]],
  ['refused', 'a refused message', [decided('accept'), decided('reject')]],
  ['refused', 'a message that one policy refused', [decided('reject'), decided('accept'), decided('defer')]],
  ['held', 'a held message', [decided('hold', null), decided('accept')]],
  ['delivered', 'a held message that was released', [decided('hold', null), logged('sent')]],
  ['refused', 'a message with one refused recipient', [logged('sent'), decided('reject', john)]],
  ['delayed', 'a message with one delayed recipient', [logged('sent'), logged('deferred', john)]],
])('%s: %s', (outcome, _, steps) => {
  const recipients = [...new Set(steps.flatMap(({ recipient }) => recipient ?? []))]
  expect(outcomeOf(steps, recipients)).toBe(outcome)
})
