import { isAligned } from './alignment.ts'
import type { DkimResult, DmarcResult, SpfResult } from './sender-results.ts'

/** What a domain owner publishes (RFC 7489 §6.3); `policy` is the one that holds for the domain itself. */
export interface DmarcRecord {
  readonly policy: DmarcResult['policy']
  readonly spf: 'strict' | 'relaxed'
  readonly dkim: 'strict' | 'relaxed'
}

export type DmarcLookup = DmarcRecord | 'none' | 'temperror'

const stepDown = { reject: 'quarantine', quarantine: 'none', none: 'none' } as const

/**
 * Reads a policy. Unknown ones ask for nothing. A domain that wants less than 100 % of failures handled is testing: all of
 * them are handled one step milder, which needs no chance (RFC 7489 §6.6.4).
 */
export function effectivePolicy(
  published: string | undefined,
  percent: number | undefined,
): DmarcResult['policy'] {
  const text = published?.trim().toLowerCase()
  const policy = text === 'reject' || text === 'quarantine' ? text : 'none'
  return percent !== undefined && percent < 100 ? stepDown[policy] : policy
}

/**
 * Evaluates the record of one author domain. A failed look-up only counts if it's one that could have proved this domain;
 * otherwise anyone could get around a policy with a slow name server of their own.
 */
export function evaluateDmarc(
  domain: string,
  record: DmarcLookup,
  spf: SpfResult,
  dkim: readonly DkimResult[],
): DmarcResult {
  if (record === 'none' || record === 'temperror') return { result: record, policy: 'none', domain }
  const outcomes = alignedOutcomes(domain, spf, dkim, record)
  const result = outcomes.includes('pass') ? 'pass' : outcomes.includes('temperror') ? 'temperror' : 'fail'
  return { result, policy: record.policy, domain }
}

/** The results of SPF and DKIM that stand for a domain. */
function alignedOutcomes(
  domain: string,
  spf: SpfResult,
  dkim: readonly DkimResult[],
  modes: Pick<DmarcRecord, 'spf' | 'dkim'>,
): string[] {
  const counted = dkim.filter((one) => isAligned(one.domain, domain, modes.dkim)).map(({ result }) => result)
  if (spf.domain === null || !isAligned(spf.domain, domain, modes.spf)) return counted
  return [spf.result, ...counted]
}

/** Whether SPF or DKIM proves a domain, as its record asks. */
export function provesDomain(
  domain: string,
  record: DmarcLookup,
  spf: SpfResult,
  dkim: readonly DkimResult[],
): boolean {
  const modes = typeof record === 'string' ? ({ spf: 'relaxed', dkim: 'relaxed' } as const) : record
  return alignedOutcomes(domain, spf, dkim, modes).includes('pass')
}

const severity = { reject: 2, quarantine: 1, none: 0 } as const
const outcomeOrder = ['fail', 'temperror', 'pass', 'none'] as const

/** The result of a message with several authors: the worst one, with the strictest policy (RFC 7489 §6.6.1). */
export function worstDmarc(results: readonly DmarcResult[]): DmarcResult {
  const order = ({ result, policy }: DmarcResult) => 3 * outcomeOrder.indexOf(result) - severity[policy]
  const [worst] = results.toSorted((one, other) => order(one) - order(other))
  return worst ?? { result: 'none', policy: 'none', domain: null }
}
