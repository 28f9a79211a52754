import type { Actor } from '../../platform/audit.ts'
import type { Schema } from '../../platform/db/schema.ts'

export type EntryType = Schema['ledgerEntries']['type']

/** Source or destination of a wallet's money. */
export type Counterpart = Schema['ledgerEntries']['account']

/** What an entry is about: `wallet.entry-<text>` in the catalogues, shown in the reader's language. */
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

/** Money that enters or leaves a wallet. */
export interface Posting {
  readonly walletId: string
  readonly type: EntryType
  /** Cents, never negative: the type determines the sign. 0 writes nothing. */
  readonly amount: number
  /**
   * Idempotency key that identifies the real-world event: `payment:tr_7UhSN1zuXS`. A second posting with the
   * same key returns the first one. Unique within the installation.
   */
  readonly key: string
  readonly text: EntryText
  /** Values for the text's placeholders; no secrets. */
  readonly parameters?: Readonly<Record<string, string | number>>
  /** Defaults to the type's usual account. */
  readonly account?: Counterpart
  readonly actor?: Actor
}

/** A stored entry. */
export interface PostedEntry {
  readonly id: string
  readonly walletId: string
  /** Cents from the wallet's perspective; negative for outgoing money. */
  readonly amount: number
  /** Balance of the wallet after this entry. */
  readonly balance: number
  /** False if it already existed. */
  readonly isNew: boolean
}

/** Award and credit add to a wallet, all other types subtract; reference api-billing-admin §1. */
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
