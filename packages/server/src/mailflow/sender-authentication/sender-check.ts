import { arc } from 'mailauth/lib/arc/index.js'
import { dkimVerify } from 'mailauth/lib/dkim/verify.js'
import { dmarc } from 'mailauth/lib/dmarc/index.js'
import { z } from 'zod'
import type { Clock } from '../../platform/clock.ts'
import type { DnsClient } from '../../platform/dns/dns-client.ts'
import { senderAddress } from '../list-access/sender-address.ts'
import { isAligned, organisationalDomain } from './alignment.ts'
import { arcFields, arcKeyNames, isArcField } from './arc-fields.ts'
import { type DmarcLookup, effectivePolicy, evaluateDmarc, provesDomain, worstDmarc } from './dmarc.ts'
import { type FromAddresses, fromAddresses } from './from-addresses.ts'
import { type LookupLimits, Lookups } from './lookups.ts'
import {
  fieldValue,
  type HeaderField,
  joinMessage,
  type SplitMessage,
  splitMessage,
} from './message-header.ts'
import { type DkimResult, dkimOutcomes, type SealResult, type SenderResults } from './sender-results.ts'
import { isHashable, type SortedSignatures, sortSignatures } from './signatures.ts'
import type { SpfCheck, SpfQuery } from './spf-check.ts'

export interface SenderCheckOptions {
  readonly dns: DnsClient
  readonly spf: Pick<SpfCheck, 'check'>
  readonly clock: Clock
  readonly limits: LookupLimits
}

/** Author domains that are looked up. */
const mostAuthors = 5

/**
 * Finds out what proves the sender of a message: SPF, DKIM, DMARC and ARC, by the look-ups that the limits allow. Never
 * fails: what can't be looked up or read is a result, too. The message is left as it is.
 */
export async function checkSender(
  message: Buffer,
  query: SpfQuery,
  { dns, spf, clock, limits }: SenderCheckOptions,
): Promise<SenderResults> {
  const split = splitMessage(message)
  const from = fromAddresses(split.fields.filter(({ name }) => name === 'from').map(fieldValue))
  const all = [...new Set(from.addresses.map(({ domain }) => domain))]
  const domains = all.slice(0, mostAuthors)
  // no real message is like this; passed over, it would get around every policy
  const isAbsurd = split.isOversized || all.length > mostAuthors
  const chosen = chooseSignatures(split, domains)
  const lookups = new Lookups(dns, limits)
  try {
    // all answers come before the body is hashed: a large message mustn't look like a slow name server
    const [spfResult, records] = await Promise.all([
      spf.check(query),
      Promise.all(domains.map((domain) => findRecord(domain, lookups))),
      lookups.prefetch([...chosen.keyNames, ...arcKeyNames(chosen.chain)].map((name) => [name, 'TXT'])),
    ])
    const signed = await checkSignatures(split, chosen, lookups, clock.now())
    const dkim = signed.dkim
    const results = domains.map((domain, at) => evaluateDmarc(domain, records[at] ?? 'none', spfResult, dkim))
    return {
      spf: spfResult,
      dkim,
      dmarc: isAbsurd
        ? { result: 'fail', policy: 'reject', domain: domains[0] ?? null }
        : worstDmarc(results),
      arc: signed.arc,
      alignedDomain: alignedDomain(from, records[0] ?? 'none', spfResult, dkim),
      from: from.only?.full ?? null,
    }
  } finally {
    lookups.close()
  }
}

function alignedDomain(
  { only }: FromAddresses,
  record: DmarcLookup,
  spf: SenderResults['spf'],
  dkim: readonly DkimResult[],
): string | null {
  return only !== null && provesDomain(only.domain, record, spf, dkim) ? only.domain : null
}

/** The library finds the record; alignment is evaluated here, because 4.13.3 never applies strict alignment. */
async function findRecord(domain: string, lookups: Lookups): Promise<DmarcLookup> {
  await lookups.prefetch([
    [`_dmarc.${domain}`, 'TXT'],
    [`_dmarc.${organisationalDomain(domain)}`, 'TXT'],
  ])
  const found = await dmarc({
    headerFrom: `author@${domain}`,
    spfDomains: [],
    dkimDomains: [],
    resolver: lookups.resolve,
  })
  if (found === false || found.status.result === 'none') return 'none'
  if (found.status.result === 'temperror') return 'temperror'
  return {
    policy: effectivePolicy(found.policy, found.pct),
    spf: found.alignment.spf.strict ? 'strict' : 'relaxed',
    dkim: found.alignment.dkim.strict ? 'strict' : 'relaxed',
  }
}

interface SignedResults {
  readonly dkim: readonly DkimResult[]
  readonly arc: SenderResults['arc']
}

interface ChosenSignatures extends SortedSignatures {
  /** Fields of the ARC chain. */
  readonly chain: readonly HeaderField[]
}

function chooseSignatures(split: SplitMessage, authors: readonly string[]): ChosenSignatures {
  if (split.isOversized || !isHashable(split.body))
    return { checked: [], keyNames: [], refused: [], chain: [] }
  const isFromAuthor = (domain: string) => authors.some((author) => isAligned(domain, author, 'relaxed'))
  return {
    ...sortSignatures(split.fields, split.body.length, isFromAuthor),
    chain: arcFields(split.fields),
  }
}

async function checkSignatures(
  split: SplitMessage,
  chosen: ChosenSignatures,
  lookups: Lookups,
  now: Date,
): Promise<SignedResults> {
  const { checked, chain, refused } = chosen
  const nothing: SignedResults = { dkim: refused, arc: { result: 'none', seals: [] } }
  if (checked.length === 0 && chain.length === 0) return nothing
  const kept = new Set([...checked.map(({ field }) => field), ...chain])
  const fields = split.fields.filter(
    (field) => kept.has(field) || (field.name !== 'dkim-signature' && !isArcField(field)),
  )
  try {
    return await verify(joinMessage(fields, split.body), chosen, lookups, now)
  } catch {
    // hostile signatures make the library fail in ways that it doesn't foresee; they prove nothing
    return nothing
  }
}

async function verify(
  message: Buffer,
  { checked, refused }: SortedSignatures,
  lookups: Lookups,
  curTime: Date,
): Promise<SignedResults> {
  const { resolve: resolver } = lookups
  // without a sender the library parses Return-Path
  const found = await dkimVerify(message, { resolver, curTime, sender: 'unused@sender.invalid' })
  const dkim = checked.map(({ domain, selector }, at): DkimResult => {
    const status = found.results[at]?.status
    // more questions than allowed is the message's fault, so it mustn't count as a failure of the DNS
    const isLimited = status?.comment?.endsWith('ELIMIT') === true
    const known = dkimOutcomes.find((outcome) => outcome === status?.result)
    const result = isLimited ? 'permerror' : (known ?? 'permerror')
    return { result, domain, selector, note: result === 'pass' ? null : (status?.comment ?? null) }
  })
  return { dkim: [...dkim, ...refused], arc: await verifyChain(found.arc, lookups) }
}

type ArcData = NonNullable<Awaited<ReturnType<typeof dkimVerify>>['arc']>

async function verifyChain(data: ArcData | undefined, lookups: Lookups): Promise<SenderResults['arc']> {
  if (data === undefined || (data.chain === false && data.error === undefined))
    return { result: 'none', seals: [] }
  const chain = data.chain || []
  // read first: the library takes values out of the newest entry
  const seals = chain.toReversed().map(readSeal)
  const result = await arc({ ...data, chain }, { resolver: lookups.resolve }).catch(() => undefined)
  if (result?.status.result !== 'pass') return { result: 'fail', seals: [] }
  return { result: 'pass', seals }
}

const sealedEntry = z.object({
  'arc-seal': z.object({ parsed: z.object({ d: z.object({ value: z.string() }) }) }),
  'arc-authentication-results': z.object({
    parsed: z.object({
      dmarc: z
        .object({
          value: z.string(),
          header: z.object({ from: z.string() }).optional(),
        })
        .optional(),
    }),
  }),
})

function readSeal(entry: unknown): SealResult {
  const parsed = sealedEntry.safeParse(entry)
  if (!parsed.success) return { domain: '', passedDomain: null }
  const results = parsed.data['arc-authentication-results'].parsed.dmarc
  const isPass = results?.value.toLowerCase() === 'pass'
  const passed = isPass ? senderAddress(`author@${results?.header?.from ?? ''}`)?.domain : undefined
  return {
    domain: senderAddress(`seal@${parsed.data['arc-seal'].parsed.d.value}`)?.domain ?? '',
    passedDomain: passed ?? null,
  }
}
