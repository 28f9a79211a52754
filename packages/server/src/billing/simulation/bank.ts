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

/** What a bank knows of one order. */
export interface BankOrder {
  /** Its own name for it. */
  readonly id: string
  readonly paymentId: string
  readonly walletId: string
  readonly kind: 'payment' | 'mandate' | 'charge'
  /** Minor units that are paid, VAT and all. */
  readonly amount: number
  readonly createdAt: Date
  status: 'open' | Outcome
  paidAt: Date | null
  mandateId: string | null
  /** What went back, by the bank's names. */
  readonly reversals: Map<string, { readonly type: 'refund' | 'chargeback'; readonly amount: number }>
  /** When something of this was last another. */
  changedAt: Date
}

/** A mandate at the bank. */
interface BankMandate {
  readonly walletId: string
  readonly card: TestCard
  isRevoked: boolean
}

/** The process ended after the bank had done what it was asked, and before that was written down. */
export class Killed extends Error {
  override name = 'Killed'
}

export interface BankParts extends SandboxParts {
  /** Chances of what happens on the way between portal and bank, by wallet; undefined: nothing ever does. */
  readonly luckOf: (walletId: string) => Random | undefined
  /** Share of the calls that go wrong. */
  readonly troubleRate: number
}

/**
 * The sandbox as a bank that keeps a statement in memory of what it was asked and what came of it, which references are
 * computed from. Calls of the portal go wrong now and then: before anything happens, or after it has.
 */
export class Bank extends Sandbox {
  readonly #clock: Clock
  readonly #luckOf: BankParts['luckOf']
  readonly #troubleRate: number
  readonly #orders = new Map<string, BankOrder>()
  readonly #byPayment = new Map<string, BankOrder>()
  readonly mandates = new Map<string, BankMandate>()
  /** Orders that nobody has asked this statement for yet. */
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

  /** Orders of a wallet since the last time. */
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

  /** A refund that the portal has not asked for, as by hand on the provider's own pages. */
  async giveBack(id: string, amount: number, key: string): Promise<void> {
    await super.refund(id, amount, key)
    const name = `re_${key}`
    // asked again it is the first one
    if (this.#orders.get(id)?.reversals.has(name) === true) return
    this.#change(id, (order) => order.reversals.set(name, { type: 'refund', amount }))
  }

  /** The customer ends a mandate at the bank. */
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

  /** A call of the portal, which may go wrong on its way there or back. */
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
