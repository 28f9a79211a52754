import { formatPrice } from '@gatehouse/contract/billing/price'
import type { Command, CommandContext } from '../../platform/cli/command.ts'
import { silent } from '../../platform/cli/silent.ts'
import type { Db } from '../../platform/db/database.ts'
import { Jobs } from '../../platform/jobs/jobs.ts'
import { moment } from '../../platform/mailer/templates/phrases.ts'
import { holdWallet } from '../../subscriptions/entitlement-store.ts'
import { requestDueTopUps, requestTopUp } from '../auto-payment/auto-payment-jobs.ts'
import { disableMandate, enableMandate, removeMandate } from '../auto-payment/change-mandate.ts'
import { begunSetup, livingMandate, readMandate, readPayingAccount } from '../auto-payment/mandate-store.ts'
import type { MandateParts } from '../auto-payment/parts.ts'
import { findWallet } from './find-wallet.ts'

type Config = MandateParts['config']

/** Changes the auto-payment of a wallet, and prints what changed, if anything. */
const change = (
  name: string,
  summary: string,
  said: readonly [done: string, nothing: string],
  act: (trx: Db, parts: MandateParts, walletId: string) => Promise<boolean>,
): Command<Config> => ({
  name: `mandate:${name}`,
  usage: `mandate:${name} <wallet or address>`,
  summary,
  needs: 1,
  async run(context) {
    const { args, db, print } = context
    const wallet = await findWallet(db, args[0] ?? '')
    const isDone = await db.transaction().execute(async (trx) => {
      await holdWallet(trx, wallet.id)
      return act(trx, partsOf(context), wallet.id)
    })
    print(`${wallet.email}: ${isDone ? said[0] : said[1]}`)
  },
})

const by = { comment: 'command line' }

/** Operator commands for auto-payment. They don't call the provider; a running server does. */
export const mandateCommands: readonly Command<Config>[] = [
  {
    name: 'wallet:topup',
    usage: 'wallet:topup [wallet or address]',
    summary: 'top up a wallet, or all wallets below their threshold, if a top-up is due',
    needs: 0,
    async run(context) {
      const { args, db, print } = context
      const { jobs } = partsOf(context)
      if (args[0] === undefined) return requestDueTopUps(db, jobs)
      const wallet = await findWallet(db, args[0])
      await requestTopUp(db, jobs, wallet.id)
      print(`${wallet.email}: top-up requested`)
    },
  },
  {
    name: 'mandate:show',
    usage: 'mandate:show <wallet or address>',
    summary: 'show the auto-payment of a wallet as stored here',
    needs: 1,
    async run({ args, db, answer }) {
      const wallet = await findWallet(db, args[0] ?? '')
      const { currency, balance } = await readPayingAccount(db, wallet.id)
      const row = await readMandate(db, wallet.id)
      const living = livingMandate(row)
      const price = (cents: number) => formatPrice(cents, currency, 'en')
      const lines = [`${wallet.email}  ${wallet.id}  balance ${price(balance)}`]
      if (row !== undefined) lines.push(`amount ${price(row.amount)}, below ${price(row.threshold)}`)
      if (living === undefined) {
        lines.push((await begunSetup(db, wallet.id)) === undefined ? 'no mandate' : 'being set up')
      } else {
        lines.push(`${living.provider} ${living.providerId}  ${row?.method ?? '-'}  ${living.status}`)
        lines.push(`asked on ${moment(living.readAt, 'en')}`)
        if (row?.disabledAt != null) {
          lines.push(`disabled on ${moment(row.disabledAt, 'en')}: ${row.disabledReason}`)
        }
      }
      const { amount = null, threshold = null, method = null, disabledAt = null } = row ?? {}
      const { provider = null, providerId = null, status = null } = living ?? {}
      answer.record(
        {
          ...{ walletId: wallet.id, email: wallet.email, balance, currency, amount, threshold },
          ...{ provider, providerId, method, status, disabledAt },
        },
        lines,
      )
    },
  },
  change(
    'disable',
    'disable the auto-payment of a wallet until its owner or an operator enables it again',
    ['disabled', 'nothing to disable'],
    (trx, parts, walletId) => disableMandate(trx, parts, walletId, 'staff', by),
  ),
  change(
    'enable',
    'enable the auto-payment of a wallet again',
    ['enabled', 'not disabled'],
    (trx, parts, walletId) => enableMandate(trx, parts, walletId, by),
  ),
  change(
    'reset',
    'delete the mandate of a wallet and revoke it at its provider; the owner sets up a new one',
    ['deleted', 'no mandate'],
    (trx, parts, walletId) => removeMandate(trx, parts, walletId, by),
  ),
]

function partsOf({ clock, database, config }: CommandContext<Config>): MandateParts {
  return { clock, config, jobs: new Jobs(database.pool, silent) }
}
