import type { Db } from '../../../platform/db/database.ts'
import { HttpError, message } from '../../../platform/http/errors.ts'
import { customersOf } from '../payment-store.ts'
import type { PaymentProvider } from './provider.ts'

/** No payment provider is available in this installation (403). */
export class PaymentsNotOffered extends HttpError {
  constructor() {
    super(403, message('payment.not-offered'))
  }
}

/** The installation's providers, and the selection for a wallet. */
export class PaymentProviders {
  readonly #providers: readonly PaymentProvider[]
  readonly #preferred: string | undefined

  /** `preferred` is for new customers; if undefined or unavailable, they aren't offered payments. */
  constructor(providers: readonly PaymentProvider[], preferred: string | undefined) {
    this.#providers = providers
    this.#preferred = preferred
  }

  /** The provider with this name, as used in rows and in webhook URLs. */
  named(name: string): PaymentProvider | undefined {
    return this.#providers.find((provider) => provider.name === name)
  }

  /** The provider for those who have never paid; undefined for none. */
  get ofNewCustomers(): PaymentProvider | undefined {
    return this.#preferred === undefined ? undefined : this.named(this.#preferred)
  }

  /**
   * The provider of a wallet: if it is already a customer of one, it stays there. Undefined if payments aren't
   * offered. Reference api-billing-admin §4.
   */
  async of(db: Db, walletId: string): Promise<PaymentProvider | undefined> {
    const known = await customersOf(db, walletId)
    const loyal = known.map(({ provider }) => this.named(provider)).find((found) => found !== undefined)
    return loyal ?? this.ofNewCustomers
  }

  /** The same, but throws PaymentsNotOffered if there is none. */
  async require(db: Db, walletId: string): Promise<PaymentProvider> {
    const provider = await this.of(db, walletId)
    if (provider === undefined) throw new PaymentsNotOffered()
    return provider
  }
}
