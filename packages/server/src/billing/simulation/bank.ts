import type { Clock } from '../../platform/clock.ts'
import type {
  PaymentOrder,
  ProviderMandate,
  ProviderPayment,
  StartedPayment,
} from '../payments/providers/provider.ts'
import { ProviderUnavailable } from '../payments/providers/provider-errors.ts'
import {
  type Outcome,
  Sandbox,
  type SandboxParts,
  type TestCard,
  testCards,
} from '../payments/sandbox/sandbox.ts'
import type { Random } from './random.ts'

/** A bank's record of an order. */
export interface BankOrder {
  /** The bank's own ID. */
  readonly id: string
  readonly paymentId: string
  readonly walletId: string
  readonly kind: 'payment' | 'mandate' | 'charge'
  /** Minor units paid, including VAT. */
  readonly amount: number
  readonly createdAt: Date
  status: 'open' | Outcome
  paidAt: Date | null
  mandateId: string | null
  /** Reversals by the bank's IDs. */
  readonly reversals: Map<string, { readonly type: 'refund' | 'chargeback'; readonly amount: number }>
  /** Time of the last change. */
  changedAt: Date
}

/** A mandate at the bank. */
interface BankMandate {
  readonly walletId: string
  readonly card: TestCard
  isRevoked: boolean
}

/** Simulates a process that ends after the bank has executed a request, and before the result is stored. */
export class Killed extends Error {
  override name = 'Killed'
}

export interface BankParts extends SandboxParts {
  /** Random source for faults between portal and bank, by wallet; undefined for no faults. */
  readonly luckOf: (walletId: string) => Random | undefined
  /** Share of failing calls. */
  readonly troubleRate: number
}

/**
 * A sandbox that keeps an in-memory record of all orders and their outcomes, from which the references are
 * computed. The portal's calls occasionally fail, before or after they are executed.
 */
export class Bank extends Sandbox {
  readonly #clock: Clock
  readonly #luckOf: BankParts['luckOf']
  readonly #troubleRate: number
  readonly #orders = new Map<string, BankOrder>()
  readonly #byPayment = new Map<string, BankOrder>()
  readonly mandates = new Map<string, BankMandate>()
  /** Orders not returned by `takeFresh` yet. */
  readonly #fresh = new Set<BankOrder>()
  troubles = 0

  constructor(parts: BankParts) {
    super(parts)
    this.#clock = parts.clock
    this.#luckOf = parts.luckOf
    this.#troubleRate = parts.troubleRate
  }

  get orders(): Iterable<BankOrder> {
    return this.#orders.values()
  }

  order(id: string): BankOrder | undefined {
    return this.#orders.get(id)
  }

  orderOf(paymentId: string): BankOrder | undefined {
    return this.#byPayment.get(paymentId)
  }

  /** A wallet's orders since the last call. */
  takeFresh(walletId: string): BankOrder[] {
    const found = [...this.#fresh].filter((order) => order.walletId === walletId)
    for (const order of found) this.#fresh.delete(order)
    return found
  }

  override async startPayment(order: PaymentOrder): Promise<StartedPayment> {
    return this.#visit(order.customer.walletId, async () =>
      this.#note('payment', order, await super.startPayment(order), {}),
    )
  }

  override async startMandate(order: PaymentOrder): Promise<StartedPayment> {
    return this.#visit(order.customer.walletId, async () =>
      this.#note('mandate', order, await super.startMandate(order), {}),
    )
  }

  override async chargeMandate(order: PaymentOrder, mandateId: string): Promise<StartedPayment> {
    return this.#visit(order.customer.walletId, async () => {
      const started = await super.chargeMandate(order, mandateId)
      const card = this.mandates.get(mandateId)?.card
      const status = card === undefined ? 'open' : testCards[card].outcome
      const paidAt = status === 'paid' ? this.#clock.now() : null
      return this.#note('charge', order, started, { status, paidAt, mandateId })
    })
  }

  override async readPayment(id: string): Promise<ProviderPayment | undefined> {
    return this.#visit(this.#orders.get(id)?.walletId, () => super.readPayment(id))
  }

  override async findPayment(paymentId: string): Promise<ProviderPayment | undefined> {
    return this.#visit(this.#byPayment.get(paymentId)?.walletId, () => super.findPayment(paymentId))
  }

  override async cancelPayment(id: string): Promise<void> {
    await this.#visit(this.#orders.get(id)?.walletId, () => super.cancelPayment(id))
  }

  override async refund(id: string, amount: number, key: string): Promise<void> {
    await this.#visit(this.#orders.get(id)?.walletId, () => this.giveBack(id, amount, key))
  }

  override async readMandate(id: string): Promise<ProviderMandate | undefined> {
    return this.#visit(this.mandates.get(id)?.walletId, () => super.readMandate(id))
  }

  override async revokeMandate(id: string): Promise<void> {
    await this.#visit(this.mandates.get(id)?.walletId, () => this.loseMandate(id))
  }

  override async decide(id: string, outcome: Outcome, card: TestCard = 'good'): Promise<boolean> {
    const isDone = await super.decide(id, outcome, card)
    if (!isDone) return false
    const order = this.#become(id, outcome)
    if (order?.kind !== 'mandate' || outcome !== 'paid') return true
    order.mandateId = (await super.readPayment(id))?.mandateId ?? null
    const { mandateId, walletId } = order
    if (mandateId !== null) this.mandates.set(mandateId, { walletId, card, isRevoked: false })
    return true
  }

  override async force(id: string, status: Outcome): Promise<void> {
    await super.force(id, status)
    this.#become(id, status)
  }

  override async chargeBack(id: string, amount: number, key?: string): Promise<string> {
    const name = await super.chargeBack(id, amount, key)
    this.#change(id, (order) => order.reversals.set(name, { type: 'chargeback', amount }))
    return name
  }

  override async undoReversal(id: string, reversalId: string): Promise<void> {
    await super.undoReversal(id, reversalId)
    this.#change(id, (order) => order.reversals.delete(reversalId))
  }

  /** A refund not requested by the portal, e.g. made manually on the provider's own pages. */
  async giveBack(id: string, amount: number, key: string): Promise<void> {
    await super.refund(id, amount, key)
    const name = `re_${key}`
    // idempotent per key
    if (this.#orders.get(id)?.reversals.has(name) === true) return
    this.#change(id, (order) => order.reversals.set(name, { type: 'refund', amount }))
  }

  /** The customer revokes a mandate at the bank. */
  async loseMandate(id: string): Promise<void> {
    await super.revokeMandate(id)
    const mandate = this.mandates.get(id)
    if (mandate !== undefined) mandate.isRevoked = true
  }

  #note(
    kind: BankOrder['kind'],
    order: PaymentOrder,
    started: StartedPayment,
    facts: Partial<Pick<BankOrder, 'status' | 'paidAt' | 'mandateId'>>,
  ): StartedPayment {
    const known = this.#byPayment.get(order.paymentId)
    if (known !== undefined) return started
    const now = this.#clock.now()
    const { paymentId, amount } = order
    const made: BankOrder = {
      id: started.id,
      paymentId,
      walletId: order.customer.walletId,
      kind,
      amount,
      createdAt: now,
      status: 'open',
      paidAt: null,
      mandateId: null,
      reversals: new Map(),
      changedAt: now,
      ...facts,
    }
    this.#orders.set(made.id, made)
    this.#byPayment.set(paymentId, made)
    this.#fresh.add(made)
    return started
  }

  #become(id: string, status: Outcome): BankOrder | undefined {
    return this.#change(id, (order) => {
      order.status = status
      order.paidAt = status === 'paid' ? this.#clock.now() : null
    })
  }

  #change(id: string, change: (order: BankOrder) => void): BankOrder | undefined {
    const order = this.#orders.get(id)
    if (order === undefined) return undefined
    change(order)
    order.changedAt = this.#clock.now()
    return order
  }

  /** Executes a call of the portal, which may fail before or after. */
  async #visit<T>(walletId: string | undefined, act: () => Promise<T>): Promise<T> {
    const luck = walletId === undefined ? undefined : this.#luckOf(walletId)
    if (luck?.chance(this.#troubleRate) !== true) return act()
    this.troubles += 1
    const way = luck.below(3)
    if (way > 0) await act()
    if (way === 2) throw new Killed('between the bank and what is written down')
    throw new ProviderUnavailable(this.name, 'no answer')
  }
}
