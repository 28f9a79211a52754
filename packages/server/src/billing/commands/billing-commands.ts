import { type Command, type CommandContext, CommandFailed, UsageError } from '../../platform/cli/command.ts'
import { readDay } from '../../platform/cli/options.ts'
import { silent } from '../../platform/cli/silent.ts'
import { newUuid } from '../../platform/ids.ts'
import { Jobs } from '../../platform/jobs/jobs.ts'
import type { IdentityConfig } from '../../sessions/plugin.ts'
import { holdWallet } from '../../subscriptions/entitlement-store.ts'
import { moveTenantWallet } from '../../tenants/tenant-staff-store.ts'
import { readTenant } from '../../tenants/tenant-store.ts'
import { sentence } from '../billing-jobs.ts'
import type { BillingConfig } from '../billing-settings.ts'
import { bookMoney } from '../book.ts'
import { type ChargeRun, chargeDueWallets, chargeWallet } from '../charging/charge.ts'
import { expectedCharges } from '../charging/charge-store.ts'
import { checkNames, verifyLedger } from '../ledger/verify.ts'
import { balanceOf } from '../life-cycle/debt-store.ts'
import { companyOf } from '../receipts/company.ts'
import { issueReceipts } from '../receipts/issue-receipts.ts'
import { setVatRates } from '../vat/vat-store.ts'
import { findWallet } from './find-wallet.ts'
import { balances } from './money-store.ts'
import { readVatRates } from './vat-file.ts'

type Config = IdentityConfig & BillingConfig

/** Operator commands for wallets and the ledger. */
export const billingCommands: readonly Command<Config>[] = [
  {
    name: 'ledger:verify',
    usage: 'ledger:verify',
    summary: 'recompute balances, sums, chains and billed periods; fails if anything is wrong',
    needs: 0,
    async run({ db, print, answer }) {
      let number = 0
      const findings = await verifyLedger(db, (check) => {
        number += 1
        print(`${number}/${checkNames.length} ${check}?`)
      })
      const row = answer.list()
      for (const finding of findings) row({ ...finding }, sentence(finding))
      if (findings.length > 0) throw new CommandFailed('The ledger has errors. See the list above.')
      print('The ledger is correct.')
    },
  },
  {
    name: 'wallet:charge',
    usage: 'wallet:charge [wallet or address] [--dry-run]',
    summary: 'charge what is due, in one wallet or in all; --dry-run only shows what would be charged',
    needs: 0,
    async run({ args, db, clock, print, answer }) {
      const dryRun = args.includes('--dry-run')
      const name = args.find((arg) => !arg.startsWith('--'))
      const now = clock.now()
      const say = (run: Omit<ChargeRun, 'wallets'> & { readonly wallets?: number }) =>
        answer.record(
          { isDryRun: dryRun, wallets: run.wallets ?? 1, units: run.units, cost: run.cost, fee: run.fee },
          [
            `${dryRun ? 'due' : 'charged'}: ${run.wallets ?? 1} wallets, ${run.units} units, ${run.cost} cents, fees ${run.fee} cents`,
          ],
        )
      if (name === undefined) return say(await chargeDueWallets(db, { now, dryRun }))
      const wallet = await findWallet(db, name)
      const charged = dryRun
        ? (await expectedCharges(db, [wallet.id], { now }))[0]
        : await db.transaction().execute((trx) => chargeWallet(trx, wallet.id, { now }))
      if (charged === undefined) print('nothing is due')
      else say(charged)
    },
  },
  {
    name: 'wallet:balances',
    usage: 'wallet:balances [--negative]',
    summary: 'list wallets whose balance is not zero, with their owners; amounts in cents',
    needs: 0,
    async run({ args, db, answer }) {
      const write = answer.list()
      const rows = await balances(db, args.includes('--negative'))
      for (const { id, email, balance, currency } of rows) {
        write({ id, email, balance, currency }, `${id}  ${email}  ${balance} ${currency}`)
      }
    },
  },
  {
    name: 'wallet:add-transaction',
    usage: 'wallet:add-transaction <wallet or address> <cents> [key]',
    summary: 'credit a wallet, or debit it with a negative amount; the same key is booked only once',
    needs: 2,
    async run(context) {
      const { args, db } = context
      const wallet = await findWallet(db, args[0] ?? '')
      await book(context, wallet.id, readCents(args[1]), args[2] ?? newUuid())
    },
  },
  {
    name: 'wallet:set-balance',
    usage: 'wallet:set-balance <wallet or address> <cents>',
    summary: 'set the balance of a wallet by booking the difference',
    needs: 2,
    async run(context) {
      const { args, db } = context
      const wallet = await findWallet(db, args[0] ?? '')
      await book(context, wallet.id, (balance) => readCents(args[1])(balance) - balance, newUuid())
    },
  },
  {
    name: 'vat:import',
    usage: 'vat:import <file.json> <YYYY-MM-DD>',
    summary: 'set VAT rates from a day on; the file maps countries to percentages: {"CH": 8.1}',
    needs: 2,
    async run({ args, db, print }) {
      const rates = await readVatRates(args[0] ?? '')
      const from = readDay(args[1] ?? '')
      const changed = await setVatRates(db, from, rates)
      print(changed.length === 0 ? 'No rates changed.' : `Rates changed from ${from}: ${changed.join(', ')}`)
    },
  },
  {
    name: 'receipts:issue',
    usage: 'receipts:issue',
    summary: 'issue the receipts of past months; receipts that were already issued are not changed',
    needs: 0,
    async run({ config, db, clock, print }) {
      const issued = await issueReceipts({ db, clock, company: companyOf(config) })
      print(`issued: ${issued} documents`)
    },
  },
  {
    name: 'tenant:wallet',
    usage: 'tenant:wallet <tenant> <wallet or address>',
    summary: 'set the wallet that receives the profits of a tenant',
    needs: 2,
    async run({ args, db, print }) {
      const wallet = await findWallet(db, args[1] ?? '')
      const id = /^\d{1,9}$/.test(args[0] ?? '') ? Number(args[0]) : -1
      await db.transaction().execute((trx) => moveTenantWallet(trx, id, wallet.id))
      const tenant = await readTenant(db, id)
      if (tenant === undefined) throw new UsageError(`There is no tenant ${args[0]}.`)
      print(`Profits of ${tenant.title} go to the wallet of ${wallet.email}.`)
    },
  },
]

/** Books an amount that may depend on the balance, while holding the wallet's lock. */
async function book(
  { db, database, clock, print }: CommandContext<Config>,
  walletId: string,
  amountFor: (balance: number) => number,
  key: string,
): Promise<void> {
  const jobs = new Jobs(database.pool, silent)
  const entry = await db.transaction().execute(async (trx) => {
    await holdWallet(trx, walletId)
    const amount = amountFor(await balanceOf(trx, walletId))
    return bookMoney(
      trx,
      { clock, jobs },
      {
        walletId,
        type: amount < 0 ? 'penalty' : 'credit',
        amount: Math.abs(amount),
        key: `operator:${key}`,
        text: amount < 0 ? 'penalty' : 'payment',
      },
    )
  })
  if (entry === undefined) print('Nothing to book.')
  else print(entry.isNew ? `Balance: ${entry.balance}` : 'This key was already booked.')
}

function readCents(text: string | undefined): (balance: number) => number {
  if (!/^-?\d{1,12}$/.test(text ?? '')) throw new UsageError(`${text} is not an amount in cents.`)
  return () => Number(text)
}
