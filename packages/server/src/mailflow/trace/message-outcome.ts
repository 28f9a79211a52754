import { type MailOutcome, mailOutcomes } from '@gatehouse/contract/mail/mail-outcomes'
import type { MailEvent, MailStep } from '@gatehouse/contract/mail/mail-trace'

/** The outcome of a delivery attempt. */
const ofEvents: Readonly<Partial<Record<MailEvent, MailOutcome>>> = {
  sent: 'delivered',
  deferred: 'delayed',
  bounced: 'bounced',
  expired: 'bounced',
  held: 'held',
  released: 'accepted',
}

/** Returns where a message is: the worst of its recipients. Steps are in the order of time. */
export function outcomeOf(steps: readonly MailStep[], recipients: readonly string[]): MailOutcome {
  const places = recipients.length === 0 ? [null] : recipients
  const outcomes = places.map((recipient) =>
    steps
      .filter((step) => step.recipient === null || recipient === null || step.recipient === recipient)
      .reduce<MailOutcome>(outcomeAfter, 'accepted'),
  )
  return outcomes.reduce((worst, outcome) => (rank(outcome) > rank(worst) ? outcome : worst), 'delivered')
}

function rank(outcome: MailOutcome): number {
  return mailOutcomes.indexOf(outcome)
}

function outcomeAfter(before: MailOutcome, step: MailStep): MailOutcome {
  if (step.kind === 'log') return ofEvents[step.event] ?? before
  switch (step.action) {
    case 'reject':
      return 'refused'
    case 'hold':
      return before === 'refused' ? before : 'held'
    case 'defer':
      return before === 'refused' ? before : 'delayed'
    default:
      // only greylisting lets a message through that it delayed; another policy doesn't change a refusal
      return before === 'delayed' ? 'accepted' : before
  }
}
