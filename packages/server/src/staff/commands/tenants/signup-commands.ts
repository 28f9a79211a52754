import { formatPrice } from '@gatehouse/contract/billing/price'
import { listPrograms } from '../../../billing/referrals/program-store.ts'
import { UsageError } from '../../../platform/cli/command.ts'
import { dayOf, readLastDay, readNumber } from '../../../platform/cli/options.ts'
import { said } from '../../../platform/cli/said.ts'
import { NotFound } from '../../../platform/http/errors.ts'
import { listTokens } from '../../../signup/grants/token-store.ts'
import { findPlan } from '../../../subscriptions/plan-store.ts'
import { ofTenant } from '../../../tenants/tenant-option.ts'
import { changeProgram, createProgram } from '../../tenant-offer/change-program.ts'
import { createTokens, endToken } from '../../tenant-offer/create-tokens.ts'
import { findDiscount } from '../discount-commands.ts'
import type { StaffCommand } from '../staff-command.ts'

const tokenCommands: readonly StaffCommand[] = [
  {
    name: 'signup-token:create',
    usage:
      'signup-token:create <plan> [token …] [--tenant=<number>] [--count=<tokens>] [--limit=<accounts>] [--expires=<last day>]',
    summary:
      'create tokens to sign up for a plan in token mode; if none is given, --count tokens are generated',
    needs: 1,
    async run(context) {
      const { db, clock } = context
      const { words, options, tenantId } = await ofTenant(context, ['count', 'limit', 'expires'])
      const [title = '', ...given] = words
      const plan = await findPlan(db, tenantId, title)
      if (plan?.mode !== 'token') throw new UsageError(`There is no plan ${title} in token mode.`)
      const tokens = await createTokens(
        { db, clock },
        {
          ...{ tenantId, actor: {}, planId: plan.id },
          tokens: given.length > 0 ? given : (readNumber(options.count, 1) ?? 1),
          limit: readNumber(options.limit, 1) ?? null,
          expiresAt: readLastDay(options.expires) ?? null,
        },
      ).catch(said)
      const row = context.answer.list()
      for (const token of tokens) row({ token }, token)
    },
  },
  {
    name: 'signup-token:list',
    usage: 'signup-token:list [--tenant=<number>]',
    summary: 'list sign-up tokens with their plans and the number of accounts created with them',
    needs: 0,
    async run(context) {
      const { db, clock, answer } = context
      const { tenantId } = await ofTenant(context)
      const write = answer.list()
      const now = clock.now()
      const rows = await listTokens(db, tenantId, { now }, { limit: 1_000_000, offset: 0 })
      for (const row of [...rows].sort((one, other) => (one.token < other.token ? -1 : 1))) {
        const limit = row.limit === null ? '' : ` of ${row.limit}`
        const revoked = row.revokedAt === null ? '' : '  revoked'
        const { token, planTitle, counter, limit: most, expiresAt, revokedAt } = row
        write(
          { token, planTitle, accounts: counter, limit: most, expiresAt, revokedAt },
          `${row.token}  ${row.planTitle}  ${row.counter}${limit} accounts  ${dayOf(row.expiresAt)}${revoked}`,
        )
      }
    },
  },
  {
    name: 'signup-token:revoke',
    usage: 'signup-token:revoke <token> [--tenant=<number>]',
    summary: 'revoke a sign-up token; accounts created with it are not affected',
    needs: 1,
    async run(context) {
      const { db, clock, print } = context
      const { words, tenantId } = await ofTenant(context)
      const [token = ''] = words
      await endToken({ db, clock }, { tenantId, actor: {} }, token).catch((error: unknown) => {
        if (error instanceof NotFound) throw new UsageError(`There is no token ${token}.`)
        throw error
      })
      print(`${token.toUpperCase()} was revoked.`)
    },
  },
]

const programCommands: readonly StaffCommand[] = [
  {
    name: 'referral-program:create',
    usage:
      'referral-program:create <name> <description> [--tenant=<number>] [--award=<cents>] [--threshold=<cents>] [--discount=<id or code>]',
    summary:
      'create a referral programme: referrers get the award once the new account has paid the threshold; the discount is for the new account',
    needs: 2,
    async run(context) {
      const { db, clock, answer, config } = context
      const { words, options, tenantId } = await ofTenant(context, ['award', 'threshold', 'discount'])
      const [name = '', description = ''] = words
      if (name === '') throw new UsageError('A programme must have a name.')
      const { discount } = options
      const program = {
        ...{ name: { en: name }, description: { en: description }, active: true },
        award: readNumber(options.award) ?? 0,
        threshold: readNumber(options.threshold) ?? 0,
        discountId: discount === undefined ? null : await findDiscount(db, tenantId, discount),
      }
      const change = { tenantId, actor: {}, money: moneyIn(config.APP_CURRENCY) }
      const id = await createProgram({ db, clock }, change, program).catch(said)
      answer.record({ id }, [id])
    },
  },
  {
    name: 'referral-program:list',
    usage: 'referral-program:list [--tenant=<number>]',
    summary: 'list referral programmes with the number of accounts they brought and of awards paid',
    needs: 0,
    async run(context) {
      const { tenantId } = await ofTenant(context)
      const write = context.answer.list()
      for (const row of await listPrograms(context.db, tenantId)) {
        const state = row.active ? 'active' : 'inactive'
        const sums = `award ${row.award}  from ${row.threshold}`
        const counts = `${row.accounts} accounts  ${row.awarded} awarded`
        const { id, name, active, award, threshold, accounts, awarded } = row
        write(
          { id, name, active, award, threshold, accounts, awarded },
          `${row.id}  ${row.name.en ?? ''}  ${state}  ${sums}  ${counts}`,
        )
      }
    },
  },
  switchCommand('activate', true, 'activate a referral programme'),
  switchCommand(
    'deactivate',
    false,
    'deactivate a referral programme; accounts that already signed up still count for awards',
  ),
]

function switchCommand(verb: 'activate' | 'deactivate', active: boolean, summary: string): StaffCommand {
  return {
    name: `referral-program:${verb}`,
    usage: `referral-program:${verb} <id> [--tenant=<number>]`,
    summary,
    needs: 1,
    async run(context) {
      const { db, clock, print, config } = context
      const { words, tenantId } = await ofTenant(context)
      const [id = ''] = words
      const change = { tenantId, actor: {}, money: moneyIn(config.APP_CURRENCY) }
      await changeProgram({ db, clock }, change, id, { active }).catch((error: unknown) => {
        if (error instanceof NotFound) throw new UsageError(`There is no programme ${id}.`)
        throw error
      })
      print(`${id} is ${active ? 'active' : 'inactive'}.`)
    },
  }
}

function moneyIn(currency: string): (cents: number) => string {
  return (cents) => formatPrice(cents, currency, 'en')
}

/** Sign-up options that only an operator can open. */
export const signupCommands: readonly StaffCommand[] = [...tokenCommands, ...programCommands]
