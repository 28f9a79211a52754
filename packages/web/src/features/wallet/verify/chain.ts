/** A fact of an entry that its hash is made from, in the order that docs/OPERATIONS.md gives. */
const hashed = [
  'wallet',
  'number',
  'id',
  'type',
  'amount',
  'balance',
  'currency',
  'account',
  'key',
  'description',
  'parameters',
  'actor',
  'createdAt',
  'previous',
] as const

/** One entry of a downloaded chain. */
type ChainEntry = Readonly<Record<(typeof hashed)[number] | 'hash', string | number | null>> & {
  readonly number: number
  readonly amount: number
  readonly balance: number
  readonly createdAt: string
  readonly hash: string
}

/** What is wrong with an entry: a line that is none, one of another wallet, or a promise of the chain broken. */
export type ChainFault = 'unreadable' | 'wallet' | 'number' | 'previous' | 'balance' | 'hash' | 'head'

/** The end of a chain, by which it can be told later that nothing before was changed. */
export interface ChainHead {
  readonly number: number
  readonly hash: string
}

/** A chain that holds, or the first entry that breaks it. */
export type ChainVerdict =
  | {
      readonly holds: true
      readonly entries: number
      readonly balance: number
      readonly first: string | undefined
      readonly last: string | undefined
      readonly head: ChainHead | undefined
      /** The chain goes on from the head that was known. */
      readonly confirmed: boolean
    }
  | { readonly holds: false; readonly line: number; readonly fault: ChainFault }

export interface VerifyOptions {
  readonly wallet: string
  /** Where an earlier verification ended. */
  readonly known?: ChainHead | undefined
  /** Called after each part with the entries done. */
  readonly onProgress?: (done: number) => void
  readonly signal?: AbortSignal
}

/** Entries whose hashes are computed before the page may do something else. */
const part = 250

/**
 * Recomputes a chain line by line as docs/OPERATIONS.md describes: each hash, that it names the one before, that
 * numbers have no gap and that each balance is the one before plus the amount. Stops at the first that does not.
 * In parts, between which the page stays responsive. Throws the reason of the signal when it is aborted.
 */
export async function verifyChain(lines: readonly string[], options: VerifyOptions): Promise<ChainVerdict> {
  const { wallet, known, onProgress, signal } = options
  let before: ChainEntry | undefined
  let first: ChainEntry | undefined
  for (let start = 0; start < lines.length; start += part) {
    signal?.throwIfAborted()
    const entries = lines.slice(start, start + part).map(readEntry)
    const hashes = await Promise.all(entries.map(hashOf))
    for (const [index, entry] of entries.entries()) {
      const line = start + index + 1
      const fault = faultOf(entry, { wallet, line, before, hash: hashes[index], known })
      if (fault) return { holds: false, line, fault }
      before = entry
      first ??= entry
    }
    onProgress?.(Math.min(start + part, lines.length))
    await pause()
  }
  // entries that were there are there no longer
  if (known && known.number > lines.length) return { holds: false, line: lines.length + 1, fault: 'head' }
  return {
    holds: true,
    entries: lines.length,
    balance: before?.balance ?? 0,
    first: first?.createdAt,
    last: before?.createdAt,
    head: before && { number: before.number, hash: before.hash },
    confirmed: known !== undefined,
  }
}

interface Expected {
  readonly wallet: string
  readonly line: number
  readonly before: ChainEntry | undefined
  /** Computed from what the entry says. */
  readonly hash: string | undefined
  readonly known: ChainHead | undefined
}

function faultOf(entry: ChainEntry | undefined, expected: Expected): ChainFault | undefined {
  const { wallet, line, before, hash, known } = expected
  if (!entry) return 'unreadable'
  if (entry.wallet !== wallet) return 'wallet'
  if (entry.number !== line) return 'number'
  if (entry.previous !== (before?.hash ?? '')) return 'previous'
  if (entry.balance !== (before?.balance ?? 0) + entry.amount) return 'balance'
  if (entry.hash !== hash) return 'hash'
  return known?.number === entry.number && known.hash !== entry.hash ? 'head' : undefined
}

/** The text whose SHA-256 is the hash of an entry. */
function canonicalText(entry: ChainEntry): string {
  return ['gatehouse-ledger-1', ...hashed.map((name) => entry[name] ?? '')].join('\n')
}

/** The hash that an entry should have; undefined for a line that is none. */
async function hashOf(entry: ChainEntry | undefined): Promise<string | undefined> {
  if (!entry) return undefined
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(canonicalText(entry)))
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** An entry from its line; undefined for what is none. */
function readEntry(line: string): ChainEntry | undefined {
  let value: unknown
  try {
    value = JSON.parse(line)
  } catch {
    return undefined
  }
  return isEntry(value) ? value : undefined
}

function isEntry(value: unknown): value is ChainEntry {
  if (typeof value !== 'object' || value === null) return false
  const facts = value as Readonly<Record<string, unknown>> // any object may be read so
  const isWhole = (name: string) => Number.isSafeInteger(facts[name])
  const isText = (name: string) => typeof facts[name] === 'string'
  return [...hashed, 'hash'].every((name) => {
    if (name === 'number' || name === 'amount' || name === 'balance') return isWhole(name)
    return name === 'actor' ? facts.actor === null || isWhole('actor') : isText(name)
  })
}

/** Lets the page paint and answer. */
function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve))
}

/** The lines of a downloaded chain, without what follows the last line break. */
export function linesOf(text: string): string[] {
  const lines = text.split('\n')
  if (lines.at(-1) === '') lines.pop()
  return lines
}
