import { createHash } from 'node:crypto'
import { z } from 'zod'
import { type ChainLine, canonicalText } from '../../billing/ledger/chain.ts'
import type { LedgerEnd } from '../archive/manifest-format.ts'

const chainLine = z.object({
  wallet: z.string(),
  number: z.number().int(),
  id: z.string(),
  type: z.string(),
  amount: z.number().int(),
  balance: z.number().int(),
  currency: z.string(),
  account: z.string(),
  key: z.string(),
  description: z.string(),
  parameters: z.string(),
  actor: z.number().int().nullable(),
  createdAt: z.string(),
  previous: z.string(),
  hash: z.string(),
}) satisfies z.ZodType<ChainLine>

/** Checks the entries of a ledger one after another. */
export class LedgerCheck {
  readonly #wallet: string
  #end: Pick<LedgerEnd, 'entries' | 'balance' | 'hash'> = { entries: 0, balance: 0, hash: '' }
  #problem: string | undefined

  constructor(wallet: string) {
    this.#wallet = wallet
  }

  /** Checks the next line; after the first problem, nothing more. */
  add(text: string): void {
    if (this.#problem !== undefined) return
    const place = this.#end.entries + 1
    const line = chainLine.safeParse(parse(text))
    this.#problem = line.success ? this.#problemOf(line.data, place) : `line ${place} is no entry`
    if (line.success) this.#end = { entries: place, balance: line.data.balance, hash: line.data.hash }
  }

  /** Returns what is wrong; undefined if the ledger is complete up to this end. */
  finish(end: LedgerEnd): string | undefined {
    if (this.#problem !== undefined) return this.#problem
    const { entries, balance, hash } = this.#end
    const isSame = entries === end.entries && balance === end.balance && hash === end.hash
    return isSame ? undefined : 'it does not end as the manifest says'
  }

  #problemOf(line: ChainLine, place: number): string | undefined {
    const { number, wallet, balance, amount, previous } = line
    if (wallet !== this.#wallet) return `entry ${place} belongs to another account`
    if (number !== place) return `entry ${place} is missing or in another place`
    if (previous !== this.#end.hash) return `entry ${place} does not follow the one before it`
    if (balance !== this.#end.balance + amount) return `the balance of entry ${place} is not the sum`
    const computed = createHash('sha256').update(canonicalText(line)).digest('hex')
    return computed === line.hash ? undefined : `entry ${place} was changed`
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
