import { z } from 'zod'
import { type Decision, decide } from '../decision.ts'
import type { Reason } from '../reasons.ts'
import { isAligned } from './alignment.ts'
import { type SenderResults, senderResults, spfResult } from './sender-results.ts'
import { matchingException } from './spf-exceptions.ts'

export interface SpfSettings {
  /** Hosts that the recipient or the recipient's domain accepts although SPF fails. */
  readonly recipientExceptions: readonly string[]
  readonly domainExceptions: readonly string[]
}

export interface SenderSettings extends SpfSettings {
  /** Domains whose ARC seals are believed. */
  readonly trustedSealers: readonly string[]
  /** Whether SPF alone refuses a message that an aligned DKIM signature or a trusted seal proves. */
  readonly spfFailure: 'reject' | 'reject-unproved'
}

export const spfFacts = z.object({
  /** Host name of the client if its address confirms it; null: unknown. */
  clientName: z.string().nullable(),
  spf: spfResult,
})

export const senderFacts = z.object({ clientName: z.string().nullable(), sender: senderResults })

export type SpfFacts = z.infer<typeof spfFacts>
export type SenderFacts = z.infer<typeof senderFacts>

/** Decides on SPF alone, before the message is sent. Failed look-ups accept the message. */
export function decideSpf(facts: SpfFacts, settings: SpfSettings): Decision {
  const { result } = facts.spf
  if (result === 'fail') {
    const exception = findException(facts.clientName, settings)
    return decide(exception === undefined ? 'sender.spf-failed' : 'sender.spf-exception', {
      ...facts,
      exception,
    })
  }
  if (result === 'temperror' || result === 'permerror') return decide('sender.lookup-failed', facts)
  return decide(result === 'pass' ? 'sender.verified' : 'sender.unverified', facts)
}

/** Decides on a whole message, from what proves its sender. */
export function decideSender(facts: SenderFacts, settings: SenderSettings): Decision {
  const { spf, dmarc, alignedDomain } = facts.sender
  const exception = spf.result === 'fail' ? findException(facts.clientName, settings) : undefined
  const sealer = dmarc.result === 'fail' ? trustedSealer(facts.sender, settings.trustedSealers) : undefined
  const answer = (reason: Reason) => decide(reason, { ...facts, exception, sealer })

  const isProved = alignedDomain !== null || sealer !== undefined
  const canStay = exception !== undefined || (isProved && settings.spfFailure === 'reject-unproved')
  if (spf.result === 'fail' && !canStay) return answer('sender.spf-failed')
  if (dmarc.result === 'fail' && sealer === undefined) {
    if (exception !== undefined && wouldProve(facts.sender)) return answer('sender.spf-exception')
    if (dmarc.policy === 'reject') return answer('sender.dmarc-failed')
    if (dmarc.policy === 'quarantine') return answer('sender.dmarc-quarantine')
  }
  if (isProved) return answer('sender.verified')
  if (exception !== undefined) return answer('sender.spf-exception')
  return answer(hasFailedLookup(facts.sender) ? 'sender.lookup-failed' : 'sender.unverified')
}

function findException(clientName: string | null, settings: SpfSettings): string | undefined {
  return (
    matchingException(settings.recipientExceptions, clientName) ??
    matchingException(settings.domainExceptions, clientName)
  )
}

/** The exception stands for SPF, so DMARC can't fail for want of it. */
function wouldProve({ spf, from }: SenderResults): boolean {
  if (from === null || spf.domain === null) return false
  return isAligned(spf.domain, from.slice(from.lastIndexOf('@') + 1), 'relaxed')
}

/**
 * The sealer that saw the author's domain pass DMARC. Each server since then must be trusted as well, because it could
 * have sealed anything (RFC 8617 §9.2).
 */
function trustedSealer({ arc, from }: SenderResults, trusted: readonly string[]): string | undefined {
  if (arc.result !== 'pass' || from === null) return undefined
  const author = from.slice(from.lastIndexOf('@') + 1)
  for (const { domain, passedDomain } of arc.seals) {
    if (!trusted.includes(domain)) return undefined
    if (passedDomain !== null && isAligned(passedDomain, author, 'relaxed')) return domain
  }
  return undefined
}

function hasFailedLookup({ spf, dkim, dmarc }: SenderResults): boolean {
  const isFailed = (result: string) => result === 'temperror' || result === 'permerror'
  return isFailed(spf.result) || isFailed(dmarc.result) || dkim.some(({ result }) => isFailed(result))
}
