import { audit } from '../../platform/audit.ts'
import { atCommandLine, UsageError } from '../../platform/cli/command.ts'
import { said } from '../../platform/cli/said.ts'
import { requireDispensable } from '../../tenants/tenant-staff.ts'
import { joinTenantWallet, leaveTenantWallet } from '../../tenants/tenant-staff-store.ts'
import type { AccountView } from '../../users/account-view/account-view.ts'
import { findView } from '../../users/commands/find-user.ts'
import { searchUsers } from '../search/user-search-store.ts'
import { collectStats } from '../statistics/daily-stats.ts'
import { resetGeolock, resetSecondFactors, resync, signOut } from '../user-acts.ts'
import { writeRole } from './role-store.ts'
import { type StaffCommand, staffParts } from './staff-command.ts'

/** A staff action on one user. */
const userCommand = (
  name: string,
  summary: string,
  act: (parts: ReturnType<typeof staffParts>, view: AccountView) => Promise<void>,
): StaffCommand => ({
  name: `user:${name}`,
  usage: `user:${name} <address>`,
  summary,
  needs: 1,
  async run(context) {
    const view = await findView(context, context.args[0])
    await act(staffParts(context), view).catch(said)
    context.print(`${view.user.email}: ${name}`)
  },
})

/** Staff actions of the cockpit for operators with a shell. */
export const staffCommands: readonly StaffCommand[] = [
  {
    name: 'user:find',
    usage: 'user:find <text>',
    summary:
      'find accounts by address, alias, external address, number, domain, wallet, payment, customer, phone or name',
    needs: 1,
    async run({ args, config, db, answer }) {
      const row = answer.list()
      const part = { page: 1, size: 50 }
      const scope = { tenantId: undefined }
      const { list } = await searchUsers(db, args[0] ?? '', scope, part, config.APP_LDAP)
      for (const one of list) {
        row(
          { ...one },
          `${one.id}  ${one.email}  ${one.match}  ${one.isDeleted ? `deleted ${one.deleted_at}` : ''}`.trim(),
        )
      }
    },
  },
  {
    name: 'user:set-role',
    usage: 'user:set-role <address> <admin | reseller | none>',
    summary: 'make a user an admin, a reseller of their own tenant, or neither; all their sessions end',
    needs: 2,
    async run(context) {
      const { args, db, clock, print } = context
      const view = await findView(context, args[0])
      const role = args[1] === 'none' ? null : (['admin', 'reseller'] as const).find((one) => one === args[1])
      if (role === undefined) throw new UsageError(`${args[1]} is not one of admin, reseller, none.`)
      const { id, tenantId, role: before } = view.user
      await db.transaction().execute(async (trx) => {
        if (before === 'reseller' && role !== 'reseller') {
          await requireDispensable(trx, id)
          await leaveTenantWallet(trx, id)
        }
        await writeRole(trx, id, role, clock.now())
        if (role === 'reseller') await joinTenantWallet(trx, id)
        await staffParts(context).tokens.revokeAll(trx, id, 'role changed')
        const data = { before: { role: before }, after: { role } }
        await audit(trx, clock, {
          tenantId,
          objectType: 'user',
          objectId: id,
          event: 'user.role-set',
          ...atCommandLine,
          data,
        })
      })
      print(`${view.user.email}: ${args[1]}`)
    },
  },
  userCommand('reset-2fa', 'remove all second factors of a user; all sessions end', (parts, view) =>
    resetSecondFactors(parts, view, atCommandLine),
  ),
  userCommand('reset-geolock', 'allow a user to sign in from any country again', (parts, view) =>
    resetGeolock(parts, view, atCommandLine),
  ),
  userCommand('sign-out', 'end all sessions of a user', (parts, view) => signOut(parts, view, atCommandLine)),
  userCommand('resync', 'send the data of a user to the back ends again', (parts, view) =>
    resync(parts, view, atCommandLine),
  ),
  {
    name: 'stats:collect',
    usage: 'stats:collect',
    summary: 'count past days for the charts, as also happens every night',
    needs: 0,
    async run({ db, clock, print }) {
      await collectStats({ db, clock })
      print('Past days have been counted.')
    },
  },
]
