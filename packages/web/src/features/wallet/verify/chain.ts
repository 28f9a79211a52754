/** Fields of an entry covered by its hash, in the order given in docs/OPERATIONS.md. */
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

/** An entry of a downloaded chain. */
type ChainEntry = Readonly<Record<(typeof hashed)[number] | 'hash', string | number | null>> & {
  readonly number: number
  readonly amount: number
  readonly balance: number
  readonly createdAt: string
  readonly hash: string
}

/** Fault of an entry: unreadable line, wrong wallet, or a violated invariant of the chain. */
export type ChainFault = 'unreadable' | 'wallet' | 'number' | 'previous' | 'balance' | 'hash' | 'head'

/** Head of a chain, used later to verify that earlier entries are unchanged. */
export interface ChainHead {
  readonly number: number
  readonly hash: string
}

/** A valid chain, or the first invalid entry. */
export type ChainVerdict =
  | {
      readonly holds: true
      readonly entries: number
      readonly balance: number
      readonly first: string | undefined
      readonly last: string | undefined
      readonly head: ChainHead | undefined
      /** The chain extends the known head. */
      readonly confirmed: boolean
    }
  | { readonly holds: false; readonly line: number; readonly fault: ChainFault }

export interface VerifyOptions {
  readonly wallet: string
  /** Head from an earlier verification. */
  readonly known?: ChainHead | undefined
  /** Called after each batch with the number of verified entries. */
  readonly onProgress?: (done: number) => void
  readonly signal?: AbortSignal
}

/** Number of hashes computed before yielding to the page. */
const part = 250

/**
 * Verifies a chain line by line as described in docs/OPERATIONS.md: recomputes each hash and checks that it
 * references the previous one, that numbers have no gaps, and that each balance is the previous one plus the
 * amount. Stops at the first mismatch. Works in batches to keep the page responsive. Throws the signal's
 * reason when aborted.
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
  // known entries were removed
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
  /** Computed from the entry's fields. */
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

/** Returns the text whose SHA-256 is the hash of an entry. */
function canonicalText(entry: ChainEntry): string {
  return ['gatehouse-ledger-1', ...hashed.map((name) => entry[name] ?? '')].join('\n')
}

/** Returns the expected hash of an entry; undefined for an invalid line. */
async function hashOf(entry: ChainEntry | undefined): Promise<string | undefined> {
  if (!entry) return undefined
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(canonicalText(entry)))
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** Parses an entry; undefined if invalid. */
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
  const facts = value as Readonly<Record<string, unknown>> // any object can be read like this
  const isWhole = (name: string) => Number.isSafeInteger(facts[name])
  const isText = (name: string) => typeof facts[name] === 'string'
  return [...hashed, 'hash'].every((name) => {
    if (name === 'number' || name === 'amount' || name === 'balance') return isWhole(name)
    return name === 'actor' ? facts.actor === null || isWhole('actor') : isText(name)
  })
}

/** Yields to the page. */
function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve))
}

/** Splits a downloaded chain into lines, ignoring what follows the last line break. */
export function linesOf(text: string): string[] {
  const lines = text.split('\n')
  if (lines.at(-1) === '') lines.pop()
  return lines
}
