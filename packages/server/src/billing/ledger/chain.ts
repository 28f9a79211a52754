/** One line of a downloaded chain: an entry with all that its hash is made from. */
export interface ChainLine {
  readonly wallet: string
  readonly number: number
  readonly id: string
  readonly type: string
  readonly amount: number
  readonly balance: number
  readonly currency: string
  readonly account: string
  readonly key: string
  readonly description: string
  /** JSON as it was written, byte for byte. */
  readonly parameters: string
  readonly actor: number | null
  /** ISO 8601 with milliseconds, UTC. */
  readonly createdAt: string
  /** SHA-256 of the entry before, hexadecimal; empty for the first. */
  readonly previous: string
  readonly hash: string
}

/**
 * The canonical text of an entry, whose SHA-256 (of its UTF-8) is the entry's hash: a line for each fact, without a
 * line break at the end. The database makes the same text in `ledger_hash`.
 */
export function canonicalText(line: Omit<ChainLine, 'hash'>): string {
  return [
    'gatehouse-ledger-1',
    line.wallet,
    line.number,
    line.id,
    line.type,
    line.amount,
    line.balance,
    line.currency,
    line.account,
    line.key,
    line.description,
    line.parameters,
    line.actor ?? '',
    line.createdAt,
    line.previous,
  ].join('\n')
}
