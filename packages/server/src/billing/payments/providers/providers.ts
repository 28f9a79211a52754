import type { Db } from '../../../platform/db/database.ts'
import { HttpError, message } from '../../../platform/http/errors.ts'
import { customersOf } from '../payment-store.ts'
import type { PaymentProvider } from './provider.ts'

/** Nobody takes payments in this installation (403). */
export class PaymentsNotOffered extends HttpError {
  constructor() {
    super(403, message('payment.not-offered'))
  }
}

/** The providers of an installation, and which of them a wallet pays with. */
export class PaymentProviders {
  readonly #providers: readonly PaymentProvider[]
  readonly #preferred: string | undefined

  /** `preferred` is the one of new customers; undefined, or one that is not there: payments are not offered to them. */
  constructor(providers: readonly PaymentProvider[], preferred: string | undefined) {
    this.#providers = providers
    this.#preferred = preferred
  }

  /** The provider of a name, as in rows and in the address of messages. */
  named(name: string): PaymentProvider | undefined {
    return this.#providers.find((provider) => provider.name === name)
  }

  /** Who takes payments of those who have never paid; undefined: nobody does. */
  get ofNewCustomers(): PaymentProvider | undefined {
    return this.#preferred === undefined ? undefined : this.named(this.#preferred)
  }

  /**
   * The provider of a wallet: where it is a customer already, it stays one; undefined: payments are not offered.
   * Reference api-billing-admin §4.
   */
  async of(db: Db, walletId: string): Promise<PaymentProvider | undefined> {
    const known = await customersOf(db, walletId)
    const loyal = known.map(({ provider }) => this.named(provider)).find((found) => found !== undefined)
    return loyal ?? this.ofNewCustomers
  }

  /** The same, where there has to be one. Throws PaymentsNotOffered. */
  async require(db: Db, walletId: string): Promise<PaymentProvider> {
    const provider = await this.of(db, walletId)
    if (provider === undefined) throw new PaymentsNotOffered()
    return provider
  }
}
