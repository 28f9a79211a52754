import type { Actor } from '../../platform/audit.ts'
import type { Schema } from '../../platform/db/schema.ts'

export type EntryType = Schema['ledgerEntries']['type']

/** Where money of a wallet comes from or goes to. */
export type Counterpart = Schema['ledgerEntries']['account']

/** What an entry is about: `wallet.entry-<text>` of the catalogues, shown in the language of who reads it. */
export const entryTexts = [
  'opening',
  'charge',
  'profit',
  'payment',
  'auto-payment',
  'refund',
  'chargeback',
  'reversal-undone',
  'award',
  'referral',
  'referral-back',
  'referral-paid',
  'referral-returned',
  'penalty',
  'bonus-for',
  'penalty-for',
  'bonus-given',
  'penalty-taken',
  'forfeit',
  'forfeit-back',
] as const

export type EntryText = (typeof entryTexts)[number]

/** Money that comes into a wallet or leaves it. */
export interface Posting {
  readonly walletId: string
  readonly type: EntryType
  /** Cents, never negative: the type says which way they go. 0 writes nothing. */
  readonly amount: number
  /**
   * What happened in the world, by a name that it has there: `payment:tr_7UhSN1zuXS`. A second posting of that
   * name is the first one again. Unique in the whole installation.
   */
  readonly key: string
  readonly text: EntryText
  /** What fills the text's places; nothing secret. */
  readonly parameters?: Readonly<Record<string, string | number>>
  /** Absent: the usual one of the type. */
  readonly account?: Counterpart
  readonly actor?: Actor
}

/** An entry as it was written. */
export interface PostedEntry {
  readonly id: string
  readonly walletId: string
  /** Cents as the wallet sees them, negative for what leaves it. */
  readonly amount: number
  /** Of the wallet after this entry. */
  readonly balance: number
  /** False: it was there already. */
  readonly isNew: boolean
}

/** Award and credit add to a wallet, everything else takes away; reference api-billing-admin §1. */
export function signedAmount(type: EntryType, amount: number): number {
  return type === 'award' || type === 'credit' ? amount : -amount
}

export const usualCounterpart: Readonly<Record<EntryType, Counterpart>> = {
  award: 'awards',
  credit: 'payments',
  debit: 'revenue',
  penalty: 'penalties',
  refund: 'payments',
  chback: 'payments',
}
