import { type MailFacts, mailFacts } from '@gatehouse/contract/mail/mail-trace'

type Stored = Readonly<Record<string, unknown>>

/** Returns the facts of a decision that explain it to people; the rest stays in the log. */
export function shownFacts(policy: string, facts: Stored): MailFacts {
  const { delay, waited, used, most, exception, entry, refused, response } = facts
  const candidates: Stored = {
    ...{ delay, waited, used, most, exception, refused, response },
    entry: entry ?? allowedSender(facts),
    ...verification(policy, facts),
  }
  const shown = Object.entries(candidates).filter(([name, value]) => isShown(name, value))
  return mailFacts.parse(Object.fromEntries(shown))
}

function isShown(name: string, value: unknown): boolean {
  const field = Object.hasOwn(mailFacts.shape, name) && mailFacts.shape[name as keyof MailFacts] // just checked
  return field !== false && value !== undefined && field.safeParse(value).success
}

/** Greylisting keeps only the entry that allowed the sender. */
function allowedSender({ recipient }: Stored): unknown {
  const { allowedSenders } = record(recipient)
  return Array.isArray(allowedSenders) ? allowedSenders[0] : undefined
}

function verification(policy: string, facts: Stored): Stored {
  if (policy === 'sender') {
    const { alignedDomain } = record(facts.sender)
    const { result, domain } = record(facts.spf)
    if (typeof alignedDomain === 'string') return { verifiedDomain: alignedDomain }
    return result === 'pass' ? { verifiedDomain: domain, verifiedBy: 'spf' } : {}
  }
  const { domain, method } = record(facts.authentication)
  return { verifiedDomain: domain, verifiedBy: method }
}

function record(value: unknown): Stored {
  return typeof value === 'object' && value !== null ? { ...value } : {}
}
