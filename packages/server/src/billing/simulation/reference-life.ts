import { day, hour } from '../../platform/clock.ts'
import type { WalletMailName } from '../../platform/mailer/templates/wallet-mails.ts'
import { ReferenceAccount } from './reference-account.ts'

/** Days after which debt steps are due, specified independently of the product. */
const steps = [
  { name: 'initial', wait: hour, mail: 'NegativeBalance' },
  { name: 'reminder', wait: 7 * day, mail: 'NegativeBalanceReminder' },
  { name: 'warning', wait: 12 * day, mail: 'NegativeBalanceWarning' },
  { name: 'degrade', wait: 14 * day, mail: 'NegativeBalanceDegraded' },
] as const

export type ReferenceStep = (typeof steps)[number]['name']

/** VAT rates in basis points, each valid from a date. */
export const vatRates = [
  { from: '2019-01-01', rate: 770 },
  { from: '2021-01-01', rate: 810 },
] as const

const reached = (from: Date, seconds: number, now: Date) => now.getTime() - from.getTime() >= seconds * 1000

/** Reference life of an account: charges, debt steps and mails. */
export class ReferenceLife extends ReferenceAccount {
  /** Effect of settling the debt on auto-payment. */
  onDebtPaid: () => void = () => {}
  /** Steps taken for the current debt, and when. */
  taken: Partial<Record<ReferenceStep, Date>> = {}
  remindedAt: Date | null = null
  #isDegradedForDebt = false
  readonly alerts: { readonly threshold: number; isTold: boolean }[] = []
  trialEnd: Date | null = null
  /** Waits for its first payment. */
  isLocked = false
  /** Lifted by any incoming money. */
  isRestricted = false
  hasVat = false
  #isTrialEndTold = false

  override move(amount: number, now: Date): void {
    super.move(amount, now)
    if (this.negativeSince !== null) return
    this.taken = {}
    this.remindedAt = null
  }

  /** Books a payment or similar; settling the debt restores services. */
  book(amount: number, now: Date): void {
    const before = this.balance
    this.move(amount, now)
    if (amount <= 0) return
    this.isRestricted = false
    this.#resetAlerts()
    if (this.balance >= 0) this.onDebtPaid()
    if (before < 0 && this.balance >= 0) this.#recover(now)
  }

  /** VAT in basis points that is added to payments. */
  vatRateAt(now: Date): number {
    if (!this.hasVat) return 0
    return vatRates.findLast(({ from }) => new Date(from) <= now)?.rate ?? 0
  }

  degrade(now: Date): void {
    this.charge(now, true)
    this.isDegraded = true
  }

  undegrade(now: Date): void {
    this.charge(now, true)
    this.isDegraded = false
  }

  /** Checks this account only; returns its mails. */
  check(now: Date): WalletMailName[] {
    this.charge(now)
    return [...this.#dun(now), ...this.#alert()]
  }

  /** The run over all accounts; returns this account's mails. */
  run(now: Date): WalletMailName[] {
    this.charge(now)
    if (this.#isDegradedForDebt && this.balance >= 0) this.#recover(now)
    return [...this.#dun(now), ...this.#alert(), ...this.#tellTrialEnd(now)]
  }

  #recover(now: Date): void {
    this.#isDegradedForDebt = false
    if (this.isDegraded) this.undegrade(now)
  }

  #dun(now: Date): WalletMailName[] {
    const since = this.negativeSince
    if (since === null) return []
    if (this.isDegraded) return this.#remind(now)
    const step = steps.findLast(({ wait }) => reached(since, wait, now))
    if (step === undefined || this.taken[step.name] !== undefined) return []
    if (step.name === 'degrade') {
      this.degrade(now)
      this.#isDegradedForDebt = true
      this.remindedAt = now
    }
    this.taken[step.name] = now
    return [step.mail]
  }

  #remind(now: Date): WalletMailName[] {
    const last = this.remindedAt
    if (last !== null && !reached(last, 14 * day, now)) return []
    this.remindedAt = now
    return last === null ? [] : ['DegradedReminder']
  }

  #resetAlerts(): void {
    for (const alert of this.alerts) if (this.balance >= alert.threshold) alert.isTold = false
  }

  #alert(): WalletMailName[] {
    this.#resetAlerts()
    const fallen = this.alerts.filter(({ threshold, isTold }) => !isTold && this.balance < threshold)
    for (const alert of fallen) alert.isTold = true
    return fallen.length > 0 ? ['LowBalance'] : []
  }

  #tellTrialEnd(now: Date): WalletMailName[] {
    const end = this.trialEnd
    if (end === null || this.#isTrialEndTold || this.discount === 100) return []
    if (now >= end || end.getTime() - now.getTime() > 7 * day * 1000) return []
    this.#isTrialEndTold = true
    return ['TrialEnd']
  }
}
