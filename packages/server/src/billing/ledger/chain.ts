/** One line of a downloaded chain: an entry with everything that its hash covers. */
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
  /** JSON exactly as stored, byte for byte. */
  readonly parameters: string
  readonly actor: number | null
  /** ISO 8601 with milliseconds, UTC. */
  readonly createdAt: string
  /** SHA-256 of the previous entry in hexadecimal; empty for the first. */
  readonly previous: string
  readonly hash: string
}

/**
 * Canonical text of an entry, whose SHA-256 (of its UTF-8 bytes) is the entry's hash: one line per property,
 * without a trailing line break. The database builds the same text in `ledger_hash`.
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
