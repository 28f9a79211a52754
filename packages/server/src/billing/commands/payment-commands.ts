import { type Command, type CommandContext, CommandFailed, UsageError } from '../../platform/cli/command.ts'
import { silent } from '../../platform/cli/silent.ts'
import { wireDate } from '../../platform/clock.ts'
import { HttpError } from '../../platform/http/errors.ts'
import { createTranslator } from '../../platform/i18n/translator.ts'
import { Jobs } from '../../platform/jobs/jobs.ts'
import type { IdentityConfig } from '../../sessions/plugin.ts'
import type { BillingConfig } from '../billing-settings.ts'
import { setRates } from '../exchange/exchange-store.ts'
import { paymentFollowers } from '../payment-followers.ts'
import { openProviders } from '../payments/compose-payments.ts'
import type { PaymentParts } from '../payments/payment-parts.ts'
import { type PaymentRow, readPayment } from '../payments/payment-store.ts'
import { type Outcome, outcomes, type Sandbox } from '../payments/sandbox/sandbox.ts'
import { listAlarms } from '../payments/settlement/alarm-store.ts'
import { alarmText } from '../payments/settlement/alarms.ts'
import { refundPayment } from '../payments/settlement/refund.ts'
import { settle } from '../payments/settlement/settle.ts'
import { findWallet } from './find-wallet.ts'
import { paymentsOf } from './money-store.ts'
import { readRates } from './rates-file.ts'

type Config = IdentityConfig & BillingConfig

/** Operator commands for payments. */
export const paymentCommands: readonly Command<Config>[] = [
  {
    name: 'payment:list',
    usage: 'payment:list <wallet or address>',
    summary: 'list the payments of a wallet with refunds, newest first; amounts in cents',
    needs: 1,
    async run({ args, db, print, answer }) {
      const wallet = await findWallet(db, args[0] ?? '')
      const rows = await paymentsOf(db, wallet.id)
      const write = answer.list()
      for (const row of rows) write(factsOf(row), line(row))
      if (rows.length === 0) print('No payments.')
    },
  },
  {
    name: 'payment:settle',
    usage: 'payment:settle <id>',
    summary: 'fetch the state of a payment from its provider and book the result',
    needs: 1,
    async run(context) {
      const { parts } = await open(context)
      const payment = await said(() => settle(parts, context.args[0] ?? ''))
      if (payment === undefined) throw new UsageError(`There is no payment ${context.args[0]}.`)
      context.answer.record(factsOf(payment), [line(payment)])
    },
  },
  {
    name: 'payment:refund',
    usage: 'payment:refund <id> [cents]',
    summary: 'refund a payment, or part of it in cents of the wallet’s currency; the wallet is debited',
    needs: 1,
    async run(context) {
      const { parts } = await open(context)
      const id = context.args[0] ?? ''
      if ((await readPayment(context.db, id)) === undefined)
        throw new UsageError(`There is no payment ${id}.`)
      const cents = context.args[1] === undefined ? undefined : readCents(context.args[1])
      const { amount, currency } = await said(() => refundPayment(parts, id, cents))
      context.print(`Refunded: ${amount} ${currency}`)
    },
  },
  {
    name: 'payment:alarms',
    usage: 'payment:alarms',
    summary: 'list payments that could not be booked automatically and need an operator',
    needs: 0,
    async run({ db, print, answer }) {
      const row = answer.list()
      const alarms = await listAlarms(db)
      for (const alarm of alarms) row({ ...alarm, text: alarmText(alarm) }, alarmText(alarm))
      if (alarms.length === 0) print('No alarms.')
    },
  },
  {
    name: 'exchange:import',
    usage: 'exchange:import <file.json | https://…>',
    summary:
      'set the exchange rates of a day: {"base": "CHF", "date": "2026-03-10", "rates": {"EUR": 1.0638}}',
    needs: 1,
    async run({ args, db, print }) {
      const rates = await readRates(args[0] ?? '')
      await setRates(db, rates)
      print(`${rates.base}, ${rates.day}: ${[...rates.rates.keys()].join(', ')}`)
    },
  },
  {
    name: 'sandbox:decide',
    usage: `sandbox:decide <id> ${outcomes.join('|')}`,
    summary: 'set the outcome of a payment in the sandbox, as its page does',
    needs: 2,
    async run(context) {
      const outcome = outcomes.find((known) => known === context.args[1])
      if (outcome === undefined) throw new UsageError(`The outcome must be one of ${outcomes.join(', ')}.`)
      await inSandbox(context, (sandbox, id) => decide(sandbox, id, outcome))
    },
  },
  {
    name: 'sandbox:chargeback',
    usage: 'sandbox:chargeback <id> <minor units>',
    summary: 'charge back a payment in the sandbox, or part of it',
    needs: 2,
    async run(context) {
      const amount = readCents(context.args[1] ?? '')
      await inSandbox(context, async (sandbox, id) => {
        await sandbox.chargeBack(id, amount)
      })
    },
  },
]

async function decide(sandbox: Sandbox, id: string, outcome: Outcome): Promise<void> {
  if (!(await sandbox.decide(id, outcome))) throw new CommandFailed('This payment already has an outcome.')
}

/** Changes a payment in the sandbox and makes the portal check it. */
async function inSandbox(
  context: CommandContext<Config>,
  act: (sandbox: Sandbox, providerId: string) => Promise<void>,
): Promise<void> {
  const { parts, sandbox } = await open(context)
  const id = context.args[0] ?? ''
  const payment = await readPayment(context.db, id)
  if (sandbox === undefined || payment?.provider !== 'sandbox' || payment.providerId === null) {
    throw new UsageError(`There is no payment ${id} in the sandbox.`)
  }
  const { providerId } = payment
  await said(() => act(sandbox, providerId))
  const settled = await settle(parts, id)
  if (settled !== undefined) context.answer.record(factsOf(settled), [line(settled)])
}

async function open({
  config,
  db,
  database,
  clock,
  secrets,
}: CommandContext<Config>): Promise<{ parts: PaymentParts; sandbox: Sandbox | undefined }> {
  const jobs = new Jobs(database.pool, silent)
  const { providers, sandbox } = openProviders({ config, db, clock, jobs, secrets })
  const followers = paymentFollowers({ clock, jobs, config })
  return { parts: { config, db, clock, jobs, log: silent, providers, followers }, sandbox }
}

/** Runs an action and returns its error message as the API would. */
async function said<T>(act: () => Promise<T>): Promise<T> {
  try {
    return await act()
  } catch (error) {
    if (!(error instanceof HttpError)) throw error
    throw new CommandFailed(createTranslator('en')(error.text.key, error.text.params))
  }
}

function factsOf(row: PaymentRow) {
  const { id, createdAt, type, status, amount, currencyAmount, currency, provider, providerId } = row
  return { id, createdAt, type, status, amount, currencyAmount, currency, provider, providerId }
}

function line(row: PaymentRow): string {
  const amount = `${row.amount} (${row.currencyAmount} ${row.currency})`
  const provider = `${row.provider} ${row.providerId ?? '-'}`
  return `${row.id}  ${wireDate(row.createdAt)}  ${row.type}  ${row.status}  ${amount}  ${provider}`
}

function readCents(text: string): number {
  if (!/^[1-9]\d{0,11}$/.test(text)) throw new UsageError(`${text} is not an amount in cents.`)
  return Number(text)
}
