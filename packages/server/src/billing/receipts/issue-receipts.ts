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

/** Default issuer of receipts, which tenants can override. */
export interface Company {
  /** Name of the product, printed on receipts. */
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

/** Wallets per query. */
const batch = 200

/**
 * Issues due receipts every hour, so that a month's documents are available an hour after its end, even after
 * an outage.
 */
export function handleReceipts(jobs: Jobs, parts: ReceiptParts): void {
  jobs.schedule(issueReceiptsJob, '5 * * * *', async () => {
    await issueReceipts(parts)
  })
}

/**
 * Issues receipts and credit notes for all payments of past months that have none yet. Returns how many. Each
 * wallet has its own transaction, so an interrupted run can be repeated.
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

/** The same for one wallet, so that a reader of the list needn't wait for the job. */
export async function issueReceiptsOf(parts: ReceiptParts, walletId: string): Promise<number> {
  const { db, clock } = parts
  const current = periodOf(clock.now())
  return db.transaction().execute(async (trx) => {
    // locks the wallet, so that concurrent runs are serialised
    const payer = await readPayer(trx, walletId)
    if (payer === undefined) return 0
    let issued = 0
    for (const kind of ['receipt', 'credit-note'] as const) {
      // read per kind, because a credit note refers to a receipt that may have just been issued
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

/** Reversals are listed on a separate document. */
function kindOf(payment: OpenPayment): ReceiptKind {
  return payment.amount < 0 ? 'credit-note' : 'receipt'
}

/**
 * Groups payments by the month of their document: their own month, or the first later one without a document.
 * Those that would belong to the current month wait for its end.
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

/** VAT is the amount paid beyond the credited amount; if there is no difference, it is included. */
function taxOf({ amount, creditAmount: net, rate }: OpenPayment): TaxedAmount {
  if (rate === null) return { net: amount, vat: 0, gross: amount }
  return amount === net ? splitGross(amount, rate) : { net, vat: amount - net, gross: amount }
}

/** A tenant's own company overrides the installation's. */
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

/** Splits a setting into lines, which are separated by `|`. */
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
