import { z } from 'zod'
import { type Decision, decide } from '../decision.ts'
import { senderAddress } from '../list-access/sender-address.ts'
import type { Reason } from '../reasons.ts'

/** What stands behind an address, seen by the caller. Addresses of others and unknown ones have no owner. */
export const addressOwner = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('user'),
    userId: z.number(),
    /** The user, the account or its domain is suspended. */
    isSuspended: z.boolean(),
    /** The user delegates to the caller, with sending under the user's addresses, and delegation is switched on. */
    letsCallerSend: z.boolean(),
  }),
  z.object({
    kind: z.enum(['list', 'shared-folder']),
    isSuspended: z.boolean(),
    /** The caller may send as the list or folder, and its account allows it. */
    letsCallerSend: z.boolean(),
  }),
])

export const submissionFacts = z.object({
  /** Who signed in; null: nobody known. */
  caller: z
    .object({
      userId: z.number(),
      /** Main address and aliases, canonical. */
      addresses: z.array(z.string()).readonly(),
      isService: z.boolean(),
      isSuspended: z.boolean(),
    })
    .nullable(),
  /** Envelope sender, as it was sent. */
  sender: z.string(),
  senderOwner: addressOwner.nullable(),
  /** Authors in the header, at most one if it's sound; null: the header isn't known yet. */
  authors: z
    .array(z.object({ address: z.string(), owner: addressOwner.nullable() }))
    .readonly()
    .nullable(),
})

export type AddressOwner = z.infer<typeof addressOwner>
export type SubmissionFacts = z.infer<typeof submissionFacts>
type Caller = NonNullable<SubmissionFacts['caller']>

/**
 * Decides whether a user who signed in may send under the addresses of a message. Every address must be allowed: the
 * envelope sender and, once the header is known, the author. The first one that isn't decides.
 */
export function submission(facts: SubmissionFacts): Decision {
  const { caller, authors } = facts
  if (caller === null) return decide('submission.unknown-user', facts)
  if (caller.isSuspended) return decide('submission.suspended', facts)
  const reason = rightToSendAs(facts.sender, facts.senderOwner, caller)
  if (isRefusal(reason) || authors === null)
    return decide(reason, { ...facts, refused: refusedOf(reason, facts.sender) })
  // several authors would show one and prove another
  if (authors.length !== 1) return decide('submission.invalid-sender', { ...facts, refused: 'from' })
  for (const { address, owner } of authors) {
    const authorReason = rightToSendAs(address, owner, caller)
    if (isRefusal(authorReason)) return decide(authorReason, { ...facts, refused: address })
  }
  return decide(reason, facts)
}

const refusals: ReadonlySet<Reason> = new Set([
  'submission.invalid-sender',
  'submission.not-allowed',
  'submission.suspended',
])

function isRefusal(reason: Reason): boolean {
  return refusals.has(reason)
}

function refusedOf(reason: Reason, sender: string): string | undefined {
  return isRefusal(reason) ? sender : undefined
}

function rightToSendAs(text: string, owner: AddressOwner | null, caller: Caller): Reason {
  const address = senderAddress(text)
  if (address === undefined || /[\s\p{Cc}]/u.test(address.full)) return 'submission.invalid-sender'
  const [main, ...aliases] = caller.addresses
  const plain = withoutTag(address.full)
  const isOwn = (own: string) => own === address.full || own === plain
  if (caller.addresses.some(isOwn)) {
    if (caller.isService) return 'submission.service-user'
    return main !== undefined && isOwn(main) && !aliases.includes(address.full)
      ? 'submission.own-address'
      : 'submission.alias'
  }
  // a service sends only under its own addresses
  if (caller.isService || owner === null || !owner.letsCallerSend) return 'submission.not-allowed'
  if (owner.kind !== 'user') return owner.isSuspended ? 'submission.not-allowed' : rights[owner.kind]
  return owner.isSuspended ? 'submission.suspended' : 'submission.delegate'
}

const rights = { list: 'submission.list', 'shared-folder': 'submission.shared-folder' } as const

/** The address that `jane+news@acme.test` belongs to: `jane@acme.test`. Quoted local parts have no tags. */
export function withoutTag(address: string): string {
  const at = address.lastIndexOf('@')
  const plus = address.indexOf('+')
  if (plus < 1 || plus > at || address.startsWith('"')) return address
  return address.slice(0, plus) + address.slice(at)
}
