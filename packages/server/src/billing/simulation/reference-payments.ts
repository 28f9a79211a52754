import { day, minute } from '../../platform/clock.ts'
import type { WalletMailName } from '../../platform/mailer/templates/wallet-mails.ts'
import type { Bank, BankOrder } from './bank.ts'
import type { ReferenceLife } from './reference-life.ts'

/** An order with the portal's expected knowledge: the bank's state at the last check. */
export interface ReferenceOrder {
  bank: BankOrder
  /** Cents to be credited to the wallet. */
  readonly credit: number
  seen: BankOrder['status']
  /** Reversals booked so far, in minor units of the payment. */
  readonly booked: Map<string, { readonly type: 'refund' | 'chargeback'; readonly amount: number }>
  readonly setup: { amount: number; threshold: number; isWithdrawn: boolean } | null
}

interface ReferenceMandate {
  readonly id: string
  amount: number
  threshold: number
  isGone: boolean
  readAt: Date
  stopped: 'failed' | 'too-small' | 'revoked' | null
}

/** An expected top-up at the bank. */
export interface ExpectedCharge {
  readonly order: ReferenceOrder
  readonly mandateId: string
}

const seconds = (from: Date, to: Date) => (to.getTime() - from.getTime()) / 1000
const isUndecided = (status: BankOrder['status']) => status === 'open' || status === 'pending'
const isOver = (status: BankOrder['status']) => status !== 'paid' && !isUndecided(status)

/**
 * Reference effects of payments on an account, derived only from the bank's state: each check of an order
 * credits what was paid less reversals. Auto-payment is specified a second time, independently of the product.
 */
export class ReferencePayments {
  readonly orders: ReferenceOrder[] = []
  mandate: ReferenceMandate | null = null
  readonly #life: ReferenceLife
  readonly #bank: Bank

  constructor(life: ReferenceLife, bank: Bank) {
    this.#life = life
    this.#bank = bank
    life.onDebtPaid = () => {
      if (this.mandate?.stopped === 'too-small') this.mandate.stopped = null
    }
  }

  /** Adds a new order of the bank. */
  add(bank: BankOrder, credit: number, setup: { amount: number; threshold: number } | null): ReferenceOrder {
    const order: ReferenceOrder = {
      bank,
      credit,
      seen: 'open',
      booked: new Map(),
      setup: setup === null ? null : { ...setup, isWithdrawn: false },
    }
    this.orders.push(order)
    return order
  }

  /** Cents that payments should have brought, according to the portal's knowledge so far. */
  get net(): number {
    return this.orders.reduce(
      (sum, order) => (order.seen === 'paid' ? sum + order.credit - share(order, goneOf(order)) : sum),
      0,
    )
  }

  /** The portal checks an order at the bank; returns the resulting mails. */
  see(order: ReferenceOrder, now: Date): WalletMailName[] {
    const mails: WalletMailName[] = []
    const before = order.seen
    if (before !== 'paid') {
      order.seen = order.bank.status
      if (order.seen === 'paid') mails.push(...this.#credit(order, now))
      else if (isOver(order.seen) && !isOver(before)) mails.push(...this.#end(order))
    }
    if (order.seen === 'paid') mails.push(...this.#bookBack(order, now))
    return mails
  }

  /** Whether the portal has missed changes of an order at the bank. */
  isBehind({ bank, seen, booked }: ReferenceOrder): boolean {
    if (seen !== bank.status) return true
    return booked.size !== bank.reversals.size || [...booked.keys()].some((id) => !bank.reversals.has(id))
  }

  /** The portal refreshes the mandate from the bank. */
  refresh(now: Date): WalletMailName[] {
    const { mandate } = this
    if (mandate === null) return []
    mandate.readAt = now
    if (this.#bank.mandates.get(mandate.id)?.isRevoked !== true) return []
    mandate.isGone = true
    return this.#stop('revoked') ? ['MandateGone'] : []
  }

  /** Checks whether a top-up is due; returns the charge to be made at the bank. */
  topUp(by: 'owner' | 'portal', now: Date): { mails: WalletMailName[]; charge: ExpectedCharge | null } {
    const mails: WalletMailName[] = []
    let wanted = this.#decide(by, now)
    if (wanted === 'charge' && this.mandate !== null && seconds(this.mandate.readAt, now) >= 10 * minute) {
      mails.push(...this.refresh(now))
      wanted = this.#decide(by, now)
    }
    if (wanted === 'gone' && this.#stop('revoked')) mails.push('MandateGone')
    if (wanted === 'stop' && this.#stop('too-small')) mails.push('MandateTooSmall')
    if (wanted !== 'charge' || this.mandate === null) return { mails, charge: null }
    const { id, amount } = this.mandate
    const card = this.#bank.mandates.get(id)?.card
    const status = card === 'good' ? 'paid' : card === 'broke' ? 'failed' : 'pending'
    const expected: BankOrder = {
      id: '',
      paymentId: '',
      walletId: '',
      kind: 'charge',
      amount: this.gross(amount, now),
      createdAt: now,
      status,
      paidAt: null,
      mandateId: id,
      reversals: new Map(),
      changedAt: now,
    }
    const order = this.add(expected, amount, null)
    mails.push(...this.see(order, now))
    return { mails, charge: { order, mandateId: id } }
  }

  /** Cents paid with a new mandate. */
  first(amount: number, threshold: number): number {
    const { balance, discount } = this.#life
    return balance < threshold && discount < 100 && !this.#isMoneyComing ? amount : 0
  }

  /** The owner changes the amounts, which also enables a stopped mandate. */
  change(amount: number, threshold: number): void {
    for (const { setup, seen } of this.orders) {
      if (setup !== null && isUndecided(seen)) Object.assign(setup, { amount, threshold })
    }
    if (this.mandate === null) return
    Object.assign(this.mandate, { amount, threshold })
    if (!this.mandate.isGone) this.mandate.stopped = null
  }

  /** The owner ends auto-payment. */
  end(): void {
    this.mandate = null
    for (const { setup } of this.orders) if (setup !== null) setup.isWithdrawn = true
  }

  /** Amount to pay for a given credit; VAT is added. */
  gross(amount: number, now: Date): number {
    const rate = this.#life.vatRateAt(now)
    return amount + Math.round((amount * rate) / 10_000)
  }

  /** Credits an order once; from then on it counts as paid. */
  #credit(order: ReferenceOrder, now: Date): WalletMailName[] {
    const life = this.#life
    if (order.credit > 0) life.book(order.credit, now)
    life.isRestricted = false
    life.isLocked = false
    if (order.bank.kind === 'mandate') this.#adopt(order, now)
    else if (life.balance >= 0 && this.mandate?.stopped !== 'revoked' && this.mandate !== null) {
      this.mandate.stopped = null
    }
    if (order.credit === 0) return []
    return [order.bank.kind === 'charge' ? 'PaymentSuccess' : 'PaymentReceived']
  }

  #adopt({ bank, setup }: ReferenceOrder, now: Date): void {
    if (setup === null || setup.isWithdrawn || bank.mandateId === null) return
    const { amount, threshold } = setup
    this.mandate = { id: bank.mandateId, amount, threshold, isGone: false, readAt: now, stopped: null }
  }

  #end({ bank }: ReferenceOrder): WalletMailName[] {
    if (bank.kind !== 'charge') return []
    const isReplaced = this.orders.some(
      (other) =>
        other.setup?.isWithdrawn === false &&
        other.seen === 'paid' &&
        other.bank.paidAt !== null &&
        other.bank.paidAt > bank.createdAt,
    )
    if (!isReplaced) this.#stop('failed')
    return bank.status === 'canceled' ? [] : ['PaymentFailure']
  }

  /** Books reversals; undone ones are credited first. */
  #bookBack(order: ReferenceOrder, now: Date): WalletMailName[] {
    const { bank, booked } = order
    const mails: WalletMailName[] = []
    const step = (change: () => void) => {
      const before = share(order, goneOf(order))
      change()
      this.#life.book(before - share(order, goneOf(order)), now)
    }
    for (const id of [...booked.keys()]) if (!bank.reversals.has(id)) step(() => booked.delete(id))
    for (const [id, reversal] of bank.reversals) {
      if (booked.has(id)) continue
      step(() => booked.set(id, reversal))
      if (bank.kind !== 'charge' || reversal.type !== 'chargeback') continue
      this.#stop('failed')
      mails.push('PaymentReturned')
    }
    return mails
  }

  #stop(why: 'failed' | 'too-small' | 'revoked'): boolean {
    if (this.mandate === null || this.mandate.stopped !== null) return false
    this.mandate.stopped = why
    return true
  }

  get #isMoneyComing(): boolean {
    return this.orders.some(
      ({ bank, seen }) =>
        seen !== 'paid' &&
        isUndecided(seen) &&
        bank.amount > 0 &&
        (bank.kind === 'charge' || (bank.kind === 'mandate' && seen === 'pending')),
    )
  }

  #decide(by: 'owner' | 'portal', now: Date): 'charge' | 'stop' | 'gone' | 'nothing' {
    const { mandate } = this
    const { balance, discount } = this.#life
    if (mandate === null || mandate.stopped !== null || balance >= mandate.threshold) return 'nothing'
    if (discount === 100) return 'nothing'
    if (mandate.isGone) return 'gone'
    if (this.#isMoneyComing) return 'nothing'
    if (balance + mandate.amount < 0) return 'stop'
    const today = this.orders.filter(
      ({ bank, seen }) =>
        bank.kind !== 'payment' &&
        bank.amount > 0 &&
        (seen === 'paid' || seen === 'pending') &&
        seconds(bank.createdAt, now) < day,
    )
    // a request results in at most one charge
    if (by === 'owner' && today.some(({ bank }) => bank.createdAt >= now)) return 'nothing'
    return today.length < (by === 'owner' ? 3 : 1) ? 'charge' : 'nothing'
  }
}

function goneOf({ booked }: ReferenceOrder): number {
  return [...booked.values()].reduce((sum, { amount }) => sum + amount, 0)
}

/** Converts a part of the payment to cents of the wallet's currency. */
function share({ credit, bank }: ReferenceOrder, part: number): number {
  return bank.amount === 0 ? 0 : Math.round((credit * part) / bank.amount)
}
