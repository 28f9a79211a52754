import { z } from 'zod'
import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import { defineJob } from '../../platform/jobs/job.ts'
import type { Jobs } from '../../platform/jobs/jobs.ts'
import { splitGross, type TaxedAmount } from '../vat/taxed-amount.ts'
import { nextPeriod, type Period, periodOf, startOf } from './period.ts'
import { completeReceipt, type ReceiptFacts, type ReceiptLine } from './receipt-facts.ts'
import {
  holdOpenPayments,
  insertReceipt,
  issuedPeriods,
  type OpenPayment,
  type Payer,
  type ReceiptKind,
  readPayer,
  takeNumber,
  walletsToReceipt,
} from './receipt-store.ts'

/** Who issues receipts, unless the tenant says otherwise. */
export interface Company {
  /** What is sold, as it stands on receipts: the product's name. */
  readonly service: string
  readonly name: string
  readonly address: readonly string[]
  readonly details: readonly string[]
  readonly email: string | null
}

export interface ReceiptParts {
  readonly db: Db
  readonly clock: Clock
  readonly company: Company
}

export const issueReceiptsJob = defineJob('receipts:issue', z.unknown())

/** Wallets that are looked up at a time. */
const batch = 200

/** Issues what is due every hour, so that a month's documents are there an hour after its end, whatever happened then. */
export function handleReceipts(jobs: Jobs, parts: ReceiptParts): void {
  jobs.schedule(issueReceiptsJob, '5 * * * *', async () => {
    await issueReceipts(parts)
  })
}

/**
 * Issues receipts and credit notes for all payments of months that are over; those that have theirs are left
 * alone. Gives how many. Each wallet is a transaction of its own, so an interrupted run goes on with the next.
 */
export async function issueReceipts(parts: ReceiptParts): Promise<number> {
  const before = startOf(periodOf(parts.clock.now()))
  let issued = 0
  let last = '00000000-0000-0000-0000-000000000000'
  for (;;) {
    const wallets = await walletsToReceipt(parts.db, before, last, batch)
    for (const walletId of wallets) issued += await issueReceiptsOf(parts, walletId)
    const end = wallets.at(-1)
    if (end === undefined) return issued
    last = end
  }
}

/** The same for one wallet: whoever looks at the list must not wait for the job. */
export async function issueReceiptsOf(parts: ReceiptParts, walletId: string): Promise<number> {
  const { db, clock } = parts
  const current = periodOf(clock.now())
  return db.transaction().execute(async (trx) => {
    // holds the wallet, so two runs at once do one after the other
    const payer = await readPayer(trx, walletId)
    if (payer === undefined) return 0
    let issued = 0
    for (const kind of ['receipt', 'credit-note'] as const) {
      // read for each kind: a credit note names the receipt that may have been written a moment ago
      const payments = await holdOpenPayments(trx, walletId, startOf(current))
      const own = payments.filter((payment) => kindOf(payment) === kind)
      const taken = await issuedPeriods(trx, walletId, kind)
      for (const [period, lines] of byPeriod(own, taken, current)) {
        const facts = await compose(trx, parts, payer, { kind, period, payments: lines })
        await insertReceipt(trx, { tenantId: payer.tenantId, walletId, facts, issuedAt: clock.now() })
        issued++
      }
    }
    return issued
  })
}

/** What goes back to the customer stands on a document of its own. */
function kindOf(payment: OpenPayment): ReceiptKind {
  return payment.amount < 0 ? 'credit-note' : 'receipt'
}

/**
 * Payments by the month of their document: their own, or the first one after it that has none yet. What would
 * come into the running month waits for its end.
 */
function byPeriod(
  payments: readonly OpenPayment[],
  taken: ReadonlySet<Period>,
  current: Period,
): Map<Period, OpenPayment[]> {
  const found = new Map<Period, OpenPayment[]>()
  for (const payment of payments) {
    let period = periodOf(payment.paidAt)
    while (taken.has(period)) period = nextPeriod(period)
    if (period >= current) continue
    found.set(period, [...(found.get(period) ?? []), payment])
  }
  return new Map([...found].sort(([a], [b]) => (a < b ? -1 : 1)))
}

async function compose(
  trx: Db,
  { clock, company }: ReceiptParts,
  payer: Payer,
  document: {
    readonly kind: ReceiptKind
    readonly period: Period
    readonly payments: readonly OpenPayment[]
  },
): Promise<ReceiptFacts> {
  const { kind, period } = document
  const issuedOn = clock.now().toISOString().slice(0, 10)
  const year = issuedOn.slice(0, 4)
  const series = `${kind === 'receipt' ? 'R' : 'C'}${year}`
  const number = `${series}-${String(await takeNumber(trx, payer.tenantId, series)).padStart(6, '0')}`
  return completeReceipt(
    {
      kind,
      period,
      issuedOn,
      currency: payer.currency,
      ...issuer(company, payer.tenantSettings),
      customer: customer(payer),
      lines: document.payments.map(line),
    },
    number,
  )
}

function line(payment: OpenPayment): ReceiptLine {
  return {
    paymentId: payment.id,
    date: payment.paidAt.toISOString().slice(0, 10),
    kind: payment.type,
    refersTo: payment.refersTo,
    rate: payment.rate,
    ...taxOf(payment),
  }
}

/** What was paid beyond what the wallet got is the VAT that came on top; else the amount contains it. */
function taxOf({ amount, creditAmount: net, rate }: OpenPayment): TaxedAmount {
  if (rate === null) return { net: amount, vat: 0, gross: amount }
  return amount === net ? splitGross(amount, rate) : { net, vat: amount - net, gross: amount }
}

/** A tenant's own company stands above the installation's. */
function issuer(company: Company, own: Readonly<Record<string, string>>) {
  const lines = (text: string | undefined, fallback: readonly string[]) =>
    text === undefined ? [...fallback] : companyLines(text)
  return {
    service: own['app.name'] ?? company.service,
    company: {
      name: own['company.name'] ?? company.name,
      address: lines(own['company.address'], company.address),
      details: lines(own['company.details'], company.details),
      email: own['company.email'] ?? company.email,
    },
  }
}

/** Lines of a setting, which stand in it one after another with `|` between them. */
export function companyLines(text: string | undefined): string[] {
  return (text ?? '')
    .split(/[|\n]/)
    .map((part) => part.trim())
    .filter((part) => part !== '')
}

function customer(payer: Payer): ReceiptFacts['customer'] {
  const { settings } = payer
  const name = [settings.first_name, settings.last_name].filter(Boolean).join(' ')
  const address = (settings.billing_address ?? '')
    .split(/\r?\n/)
    .map((part) => part.trim())
    .filter((part) => part !== '')
  const organization = settings.organization ?? ''
  return {
    number: payer.userId,
    name: organization || name || payer.email,
    address: organization && name ? [name, ...address] : address,
    country: settings.country ?? null,
    language: payer.language,
  }
}
