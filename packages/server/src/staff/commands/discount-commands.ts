import { findWallet } from '../../billing/commands/find-wallet.ts'
import { discountNumber, discountsOf } from '../../billing/commands/money-store.ts'
import { setDiscount } from '../../billing/discounts/set-discount.ts'
import { UsageError } from '../../platform/cli/command.ts'
import { inWords, readLastDay, readNumber } from '../../platform/cli/options.ts'
import { after, day } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import { isUniqueViolation } from '../../platform/db/database.ts'
import { newUuid } from '../../platform/ids.ts'
import { ofTenant } from '../../tenants/tenant-option.ts'
import { insertDiscount, setDiscountActive } from '../money/discount-store.ts'
import type { StaffCommand } from './staff-command.ts'

/** Discounts of the service or of a tenant, and who has them. */
export const discountCommands: readonly StaffCommand[] = [
  {
    name: 'discount:list',
    usage: 'discount:list [--tenant=<number>]',
    summary: 'list discounts with the number of wallets that have them',
    needs: 0,
    async run(context) {
      const { db, answer } = context
      const { tenantId } = await ofTenant(context)
      const write = answer.list()
      const rows = await discountsOf(db, tenantId)
      for (const row of rows) {
        const state = row.active ? 'active' : 'inactive'
        const claims = row.usageLimit === null ? '' : `  ${row.usageCount} of ${row.usageLimit} uses`
        const end = row.expiresAt === null ? '' : `  until ${inWords(after(row.expiresAt, -day))}`
        const facts = `${row.code ?? '-'}  ${state}  ${row.wallets} wallets${claims}${end}`
        write({ ...row }, `${row.id}  ${row.discount} %  ${facts}`)
      }
    },
  },
  {
    name: 'discount:create',
    usage:
      'discount:create <percent> <description> [code] [--limit=<accounts>] [--expires=<last day>] [--tenant=<number>]',
    summary: 'create a discount; with a code, people can claim it at sign-up',
    needs: 2,
    async run(context) {
      const { db } = context
      const { words, options, tenantId } = await ofTenant(context, ['limit', 'expires'])
      const percent = /^\d{1,3}$/.test(words[0] ?? '') ? Number(words[0]) : 101
      if (percent > 100) throw new UsageError(`${words[0]} is not a percentage from 0 to 100.`)
      const code = words[2]?.toUpperCase() ?? null
      if (code !== null && !/^[A-Z0-9_-]{1,32}$/.test(code)) {
        throw new UsageError('A code must have at most 32 letters, digits, hyphens and underscores.')
      }
      const id = newUuid()
      const description = JSON.stringify({ en: words[1] ?? '' })
      const end = {
        usage_limit: readNumber(options.limit, 1) ?? null,
        expires_at: readLastDay(options.expires) ?? null,
      }
      await insertDiscount(db, {
        id,
        tenantId,
        code,
        discount: percent,
        description,
        active: true,
        ...end,
      }).catch((error: unknown) => {
        if (isUniqueViolation(error, 'discounts_code'))
          throw new UsageError(`The code ${code} is already taken.`)
        throw error
      })
      context.answer.record({ id }, [id])
    },
  },
  {
    name: 'discount:deactivate',
    usage: 'discount:deactivate <id or code> [--tenant=<number>]',
    summary: 'stop new claims of a discount; wallets that have it keep it',
    needs: 1,
    async run(context) {
      const { db, print } = context
      const {
        words: [name = ''],
        tenantId,
      } = await ofTenant(context)
      const id = await findDiscount(db, tenantId, name)
      await setDiscountActive(db, tenantId, id, false)
      print(`${name} is inactive.`)
    },
  },
  {
    name: 'wallet:set-discount',
    usage: 'wallet:set-discount <wallet or address> <id or code | none>',
    summary: 'give a wallet a discount of its tenant, or remove it',
    needs: 2,
    async run({ args, db, clock, print }) {
      const wallet = await findWallet(db, args[0] ?? '')
      const discountId = args[1] === 'none' ? null : await findDiscount(db, wallet.tenantId, args[1] ?? '')
      const by = { actor: {}, comment: 'command line' }
      await db
        .transaction()
        .execute((trx) => setDiscount(trx, clock, { walletId: wallet.id, discountId }, by))
      print(`${wallet.email}: ${args[1]}`)
    },
  },
]

/** Finds a tenant's discount by id or code. Throws UsageError. */
export async function findDiscount(db: Db, tenantId: number, name: string): Promise<string> {
  const id = await discountNumber(db, tenantId, name)
  if (id === undefined) throw new UsageError(`There is no discount ${name}.`)
  return id
}
