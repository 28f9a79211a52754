import { z } from 'zod'

export const spfOutcomes = ['pass', 'fail', 'softfail', 'neutral', 'none', 'temperror', 'permerror'] as const
export const dkimOutcomes = ['pass', 'fail', 'neutral', 'policy', 'temperror', 'permerror'] as const
export const dmarcOutcomes = ['pass', 'fail', 'none', 'temperror'] as const
export const dmarcPolicies = ['none', 'quarantine', 'reject'] as const

export const spfResult = z.object({
  result: z.enum(spfOutcomes),
  /** The domain that was checked, ASCII; null when there was none to check. */
  domain: z.string().nullable(),
  /** Which name gave the domain: the envelope sender's, or that of HELO when the sender is null (RFC 7208 §2.4). */
  identity: z.enum(['mailfrom', 'helo']),
})

export const dkimResult = z.object({
  result: z.enum(dkimOutcomes),
  /** Signing domain (`d=`), ASCII. */
  domain: z.string(),
  selector: z.string(),
  /** Why it isn't a pass. */
  note: z.string().nullable(),
})

export const dmarcResult = z.object({
  result: z.enum(dmarcOutcomes),
  /** What the domain owner asks for when the check fails. */
  policy: z.enum(dmarcPolicies),
  /** The domain of From that decided; null: there was none. */
  domain: z.string().nullable(),
})

/** What a server that sealed the message said about it when it came in (RFC 8617). */
export const sealResult = z.object({
  /** Sealing domain (`d=`), ASCII. */
  domain: z.string(),
  /** The From domain that passed DMARC there; null: none did. */
  passedDomain: z.string().nullable(),
})

/** What is known about the sender of a message; a fact for rules, kept as JSON. */
export const senderResults = z.object({
  spf: spfResult,
  dkim: z.array(dkimResult).readonly(),
  dmarc: dmarcResult,
  arc: z.object({
    result: z.enum(['pass', 'fail', 'none']),
    /** Newest first; empty unless the chain passes. */
    seals: z.array(sealResult).readonly(),
  }),
  /** Domain of `from` if SPF or DKIM proves it (aligned as its DMARC record asks, otherwise relaxed); null: not proved. */
  alignedDomain: z.string().nullable(),
  /** The one address of the From field, canonical; null when there's none, or more than one. */
  from: z.string().nullable(),
})

export type SpfResult = z.infer<typeof spfResult>
export type DkimResult = z.infer<typeof dkimResult>
export type DmarcResult = z.infer<typeof dmarcResult>
export type SealResult = z.infer<typeof sealResult>
export type SenderResults = z.infer<typeof senderResults>
