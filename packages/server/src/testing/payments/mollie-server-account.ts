import type { Clock } from '../../platform/clock.ts'

export interface MollieMoney {
  readonly value: string
  readonly currency: string
}

export interface LocalRefund {
  readonly id: string
  readonly amount: MollieMoney
  status: 'queued' | 'pending' | 'processing' | 'refunded' | 'failed' | 'canceled'
  readonly createdAt: string
}

export interface LocalChargeback {
  readonly id: string
  readonly amount: MollieMoney
  readonly createdAt: string
  reversedAt: string | null
}

export interface LocalMandate {
  readonly id: string
  readonly customerId: string
  readonly method: string
  readonly details: Readonly<Record<string, string>>
  readonly createdAt: string
  status: 'valid' | 'pending' | 'invalid'
  isRevoked: boolean
  temper: MandateTemper
}

/** A bank's response when a mandate is charged. */
export type MandateTemper = 'accepts' | 'declines' | 'takes days'

export interface LocalPayment {
  readonly id: string
  readonly amount: MollieMoney
  readonly description: string
  readonly metadata: unknown
  readonly method: string
  readonly sequenceType: 'oneoff' | 'first' | 'recurring'
  readonly customerId: string | null
  readonly redirectUrl: string | null
  readonly webhookUrl: string | null
  readonly locale: string | null
  readonly createdAt: string
  status: 'open' | 'pending' | 'authorized' | 'paid' | 'canceled' | 'expired' | 'failed'
  mandateId: string | null
  paidAt: string | null
  details: Readonly<Record<string, string>> | null
  refunds: LocalRefund[]
  chargebacks: LocalChargeback[]
}

export interface LocalCustomer {
  readonly id: string
  readonly name: string
  readonly email: string
  readonly createdAt: string
  isDeleted: boolean
}

const card = { cardNumber: '6787', cardLabel: 'Mastercard', cardHolder: 'T. Tester' }
const bankAccount = {
  consumerName: 'T. Tester',
  consumerAccount: 'NL55INGB0000003000',
  consumerBic: 'INGBNL2A',
}

/** An account at Mollie: its data, and the actions of customers and banks. */
export class MollieAccount {
  readonly customers = new Map<string, LocalCustomer>()
  readonly payments = new Map<string, LocalPayment>()
  readonly mandates = new Map<string, LocalMandate>()
  /** Changed payments, oldest first. Tests deliver the messages, or don't, in any order. */
  readonly changes: string[] = []
  readonly #clock: Clock
  readonly #newId: (prefix: string) => string

  constructor(clock: Clock, newId: (prefix: string) => string) {
    this.#clock = clock
    this.#newId = newId
  }

  get now(): string {
    return this.#clock.now().toISOString().replace('Z', '+00:00')
  }

  payment(id: string): LocalPayment {
    const found = this.payments.get(id)
    if (found === undefined) throw new Error(`there is no payment ${id}`)
    return found
  }

  /** The customer pays on the page. A first payment creates a mandate. */
  pay(id: string, temper: MandateTemper = 'accepts'): void {
    const payment = this.#undecided(id)
    this.#receive(payment)
    if (payment.sequenceType !== 'first' || payment.customerId === null) return
    const mandate: LocalMandate = {
      id: this.#newId('mdt_'),
      customerId: payment.customerId,
      method: payment.method === 'creditcard' || payment.method === 'paypal' ? payment.method : 'directdebit',
      details: payment.method === 'creditcard' ? card : bankAccount,
      createdAt: this.now,
      status: 'valid',
      isRevoked: false,
      temper,
    }
    this.mandates.set(mandate.id, mandate)
    payment.mandateId = mandate.id
  }

  /** Ends a payment without success. */
  end(id: string, status: 'failed' | 'canceled' | 'expired'): void {
    this.#undecided(id).status = status
    this.changes.push(id)
  }

  /** The customer has been shown the transfer details. */
  order(id: string): void {
    this.#undecided(id).status = 'pending'
    this.changes.push(id)
  }

  /** Charges a mandate: the result is known immediately, or after days. */
  charge(payment: LocalPayment, temper: MandateTemper): void {
    if (temper === 'accepts') this.#receive(payment)
    else {
      payment.status = temper === 'declines' ? 'failed' : 'pending'
      this.changes.push(payment.id)
    }
  }

  refund(id: string, amount: MollieMoney): LocalRefund {
    const refund: LocalRefund = { id: this.#newId('re_'), amount, status: 'pending', createdAt: this.now }
    this.payment(id).refunds.push(refund)
    this.changes.push(id)
    return refund
  }

  endRefund(paymentId: string, status: 'refunded' | 'failed' | 'canceled'): void {
    for (const refund of this.payment(paymentId).refunds) refund.status = status
    this.changes.push(paymentId)
  }

  chargeBack(id: string, amount: MollieMoney): void {
    const chargeback = { id: this.#newId('chb_'), amount, createdAt: this.now, reversedAt: null }
    this.payment(id).chargebacks.push(chargeback)
    this.changes.push(id)
  }

  reverseChargebacks(id: string): void {
    for (const chargeback of this.payment(id).chargebacks) chargeback.reversedAt = this.now
    this.changes.push(id)
  }

  #undecided(id: string): LocalPayment {
    const payment = this.payment(id)
    if (payment.status !== 'open' && payment.status !== 'pending')
      throw new Error(`${id} is ${payment.status}`)
    return payment
  }

  #receive(payment: LocalPayment): void {
    payment.status = 'paid'
    payment.paidAt = this.now
    if (payment.method === 'creditcard') payment.details = card
    else if (payment.method !== 'paypal') payment.details = bankAccount
    this.changes.push(payment.id)
  }
}
