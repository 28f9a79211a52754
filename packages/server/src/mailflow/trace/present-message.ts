import type { MailStep, TracedMessage } from '@gatehouse/contract/mail/mail-trace'
import { wireDate } from '../../platform/clock.ts'
import { reasons } from '../reasons.ts'
import { isReason, storedAction } from './message-groups.ts'
import { outcomeOf } from './message-outcome.ts'
import { shownFacts } from './shown-facts.ts'
import type { DecisionRow, LogRow } from './traced-rows.ts'

/** Presents a message: its decisions, oldest first, and the log by queue id. */
export function presentMessage(
  group: readonly DecisionRow[],
  logs: ReadonlyMap<string, readonly LogRow[]>,
): TracedMessage {
  const [first] = group
  if (first === undefined) throw new Error('a message has at least one decision')
  const queueIds = distinct(group.map(({ queueId }) => queueId))
  const logged = queueIds.flatMap((id) => logs.get(id) ?? [])
  const direction = group.some((row) => row.direction === 'out') ? 'out' : 'in'
  const decided = distinct(group.map(({ recipient }) => recipient))
  // other recipients of an incoming message may be blind copies
  const visible = direction === 'out' ? logged : logged.filter((row) => concernsOne(row, decided))
  const recipients = direction === 'out' ? distinct([...decided, ...visible.map(addressed)]) : decided
  const timed = [
    ...group.map((row) => ({ at: row.decidedAt, step: decisionStep(row) })),
    ...visible.flatMap((row) => logStep(row, decided)),
  ].sort((one, other) => one.at.getTime() - other.at.getTime())
  const steps = timed.map(({ step }) => step)
  const [messageId = null] = distinct([...group, ...visible].map((row) => row.messageId))
  return {
    id: first.id,
    direction,
    sender: first.sender,
    recipients,
    outcome: outcomeOf(steps, recipients),
    firstAt: wireDate(timed[0]?.at ?? first.decidedAt),
    lastAt: wireDate(timed.at(-1)?.at ?? first.decidedAt),
    messageId,
    queueIds,
    steps,
  }
}

/** The recipient as the sender addressed it. */
function addressed({ recipient, originalRecipient }: LogRow): string | null {
  return originalRecipient ?? recipient
}

function concernsOne(row: LogRow, recipients: readonly string[]): boolean {
  if (row.recipient === null) return true
  return [row.recipient, row.originalRecipient].some((one) => one !== null && recipients.includes(one))
}

function decisionStep(row: DecisionRow): MailStep {
  const { reason, policy } = row
  return {
    kind: 'decision',
    at: wireDate(row.decidedAt),
    recipient: row.recipient,
    policy,
    reason,
    code: isReason(reason) ? reasons[reason].code : null,
    action: storedAction(reason),
    client: row.clientAddress,
    facts: shownFacts(policy, row.facts),
  }
}

function logStep(row: LogRow, decided: readonly string[]): { at: Date; step: MailStep }[] {
  if (row.event === 'message-id') return []
  const { recipient } = row
  const step: MailStep = {
    kind: 'log',
    at: wireDate(row.loggedAt),
    // decisions name the main address or the one that was written to
    recipient: recipient !== null && decided.includes(recipient) ? recipient : addressed(row),
    event: row.event,
    server: row.server,
    client: row.clientAddress,
    relay: row.relay,
    status: row.status,
    response: row.response,
    size: row.size,
  }
  return [{ at: row.loggedAt, step }]
}

function distinct(values: readonly (string | null)[]): string[] {
  return [...new Set(values.filter((value) => value !== null))]
}
