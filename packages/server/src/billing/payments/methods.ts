import type {
  MethodKind,
  PaymentMethod,
  PaymentMethodId,
  VatTerms,
} from '@gatehouse/contract/billing/payments'
import { type Clock, hour } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import type { BillingConfig } from '../billing-settings.ts'
import { asNumber, type ExchangeRate } from '../exchange/exchange-rate.ts'
import { currentRate } from '../exchange/exchange-store.ts'
import type { OfferedMethod, PaymentProvider } from './providers/provider.ts'
import { ProviderUnavailable } from './providers/provider-errors.ts'

/** Cache lifetime in seconds. */
const kept = hour

/** The currency of European bank transfers, available to wallets in other currencies as well. */
const secondCurrency = 'EUR'

const icons: Partial<Record<PaymentMethodId, PaymentMethod['icon']>> = {
  creditcard: { prefix: 'far', name: 'credit-card' },
  paypal: { prefix: 'fab', name: 'paypal' },
  banktransfer: { prefix: 'fas', name: 'building-columns' },
  bitcoin: { prefix: 'fab', name: 'bitcoin' },
}

/** A payment method available to a wallet, with the exchange rate of the method's own currency. */
export interface MethodOnOffer extends OfferedMethod {
  readonly rate: ExchangeRate
}

interface Remembered {
  readonly methods: readonly OfferedMethod[]
  /** Milliseconds. */
  readonly until: number
}

interface Parts {
  readonly config: Pick<
    BillingConfig,
    'PAYMENT_METHODS_ONEOFF' | 'PAYMENT_METHODS_RECURRING' | 'EXCHANGE_RATE_DAYS'
  >
  readonly db: Db
  readonly clock: Clock
}

/** The providers' payment methods, cached for an hour; during an outage the cached ones stay in use. */
export class PaymentMethods {
  readonly #parts: Parts
  readonly #remembered = new Map<string, Remembered>()

  constructor(parts: Parts) {
    this.#parts = parts
  }

  /**
   * Methods in the operator's order without duplicates, in the wallet's currency if possible. Throws
   * ProviderUnavailable.
   */
  async onOffer(provider: PaymentProvider, kind: MethodKind, currency: string): Promise<MethodOnOffer[]> {
    const { config } = this.#parts
    const found = [...(await this.#ask(provider, kind, currency))]
    if (currency !== secondCurrency) found.push(...(await this.#ask(provider, kind, secondCurrency)))
    const wanted = kind === 'oneoff' ? config.PAYMENT_METHODS_ONEOFF : config.PAYMENT_METHODS_RECURRING
    const offered: MethodOnOffer[] = []
    for (const id of wanted) {
      // those in the wallet's own currency come first
      const method = found.find((candidate) => candidate.id === id)
      const rate = method && (await this.#rate(currency, method.currency))
      if (method !== undefined && rate !== undefined) offered.push({ ...method, rate })
    }
    return offered
  }

  #rate(from: string, to: string): Promise<ExchangeRate | undefined> {
    const { db, clock, config } = this.#parts
    return currentRate(db, clock, { from, to, maxDays: config.EXCHANGE_RATE_DAYS })
  }

  async #ask(
    provider: PaymentProvider,
    kind: MethodKind,
    currency: string,
  ): Promise<readonly OfferedMethod[]> {
    const name = `${provider.name} ${kind} ${currency}`
    const now = this.#parts.clock.now().getTime()
    const known = this.#remembered.get(name)
    if (known !== undefined && known.until > now) return known.methods
    try {
      const methods = await provider.methods(kind, currency)
      this.#remembered.set(name, { methods, until: now + kept * 1000 })
      return methods
    } catch (error) {
      if (known === undefined || !(error instanceof ProviderUnavailable)) throw error
      return known.methods
    }
  }
}

/** A method in its API form; reference api-billing-admin §4. */
export function presentMethod(
  { id, name, minimum, currency, rate }: MethodOnOffer,
  vat: VatTerms | undefined,
): PaymentMethod {
  const icon = icons[id]
  return {
    id,
    name,
    minimumAmount: minimum,
    currency,
    ...(id !== 'bitcoin' && { exchangeRate: asNumber(rate) }),
    ...(icon !== undefined && { icon }),
    ...(vat !== undefined && { vat }),
  }
}
