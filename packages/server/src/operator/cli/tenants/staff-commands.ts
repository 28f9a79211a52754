import { jobStates } from '@gatehouse/contract/staff/operations'
import { audit } from '../../../platform/audit.ts'
import { wireDate } from '../../../platform/clock.ts'
import { countJobs, dropJob, listJobs, retryJob } from '../../../platform/jobs/job-store.ts'
import { searchUsers } from '../../../staff/search/user-search-store.ts'
import { collectStats } from '../../../staff/statistics/daily-stats.ts'
import { resetGeolock, resetSecondFactors, resync, signOut } from '../../../staff/user-acts.ts'
import { requireDispensable } from '../../../tenants/tenant-staff.ts'
import { joinTenantWallet, leaveTenantWallet } from '../../../tenants/tenant-staff-store.ts'
import type { AccountView } from '../../../users/account-view/account-view.ts'
import { listMails } from '../../operations/mail-store.ts'
import { type Command, UsageError } from '../command.ts'
import { atCommandLine, findView, said, staffParts } from '../objects/find-user.ts'
import { writeRole } from '../objects/look-up-store.ts'

/** An act of staff on one user. */
const userCommand = (
  name: string,
  summary: string,
  act: (parts: ReturnType<typeof staffParts>, view: AccountView) => Promise<void>,
): Command => ({
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

/** What staff do in the cockpit, for who has a shell instead. */
export const staffCommands: readonly Command[] = [
  {
    name: 'user:find',
    usage: 'user:find <text>',
    summary:
      'accounts by address, alias, external address, number, domain, wallet, payment, customer, phone or name',
    needs: 1,
    async run({ args, config, db, print }) {
      const part = { page: 1, size: 50 }
      const scope = { tenantId: undefined }
      const { list } = await searchUsers(db, args[0] ?? '', scope, part, config.APP_LDAP)
      for (const one of list) {
        print(
          `${one.id}  ${one.email}  ${one.match}  ${one.isDeleted ? `deleted ${one.deleted_at}` : ''}`.trim(),
        )
      }
    },
  },
  {
    name: 'user:set-role',
    usage: 'user:set-role <address> <admin | reseller | none>',
    summary: 'let somebody work here, for everybody or for the own tenant, or no longer; all sessions end',
    needs: 2,
    async run(context) {
      const { args, db, clock, print } = context
      const view = await findView(context, args[0])
      const role = args[1] === 'none' ? null : (['admin', 'reseller'] as const).find((one) => one === args[1])
      if (role === undefined) throw new UsageError(`${args[1]} is none of admin, reseller, none.`)
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
  userCommand('reset-2fa', 'take away the second factors of a user; all sessions end', (parts, view) =>
    resetSecondFactors(parts, view, atCommandLine),
  ),
  userCommand('reset-geolock', 'let a user sign in from every country again', (parts, view) =>
    resetGeolock(parts, view, atCommandLine),
  ),
  userCommand('sign-out', 'end all sessions of a user', (parts, view) => signOut(parts, view, atCommandLine)),
  userCommand('resync', 'have the back ends told of a user once more', (parts, view) =>
    resync(parts, view, atCommandLine),
  ),
  {
    name: 'job:list',
    usage: `job:list [${jobStates.join(' | ')}]`,
    summary: 'jobs of the queue, those that failed first',
    needs: 0,
    async run({ args, db, print }) {
      const state = jobStates.find((name) => name === args[0])
      if (state === undefined && args[0] !== undefined) {
        throw new UsageError(`${args[0]} is none of ${jobStates.join(', ')}.`)
      }
      for (const job of await listJobs(db, { state }, { limit: 200, offset: 0 })) {
        const tries = `${job.attempts}/${job.maxAttempts}`
        print(
          `${job.id}  ${job.name}  ${job.state}  ${tries}  ${wireDate(job.runAt)}  ${job.error ?? ''}`.trim(),
        )
      }
      const counts = await countJobs(db)
      print(jobStates.map((name) => `${name}: ${counts[name]}`).join(', '))
    },
  },
  {
    name: 'job:retry',
    usage: 'job:retry <id>',
    summary: 'try a job now, a dead one with all its tries',
    needs: 1,
    async run({ args, db, print }) {
      const name = await retryJob(db, args[0] ?? '')
      if (name === undefined) throw new UsageError(`There is no job ${args[0]} that does not run.`)
      print(`${name} is tried again.`)
    },
  },
  {
    name: 'job:drop',
    usage: 'job:drop <id>',
    summary: 'give a job up',
    needs: 1,
    async run({ args, db, print }) {
      const name = await dropJob(db, args[0] ?? '')
      if (name === undefined) throw new UsageError(`There is no job ${args[0]} that does not run.`)
      print(`${name} is given up.`)
    },
  },
  {
    name: 'mail:list',
    usage: 'mail:list [part of an address or subject]',
    summary: 'mails that went out or could not, newest first',
    needs: 0,
    async run({ args, db, print }) {
      for (const mail of await listMails(db, { search: args[0] }, { limit: 100, offset: 0 })) {
        const { createdAt: at, outcome, name, recipients, error } = mail
        print(`${wireDate(at)}  ${outcome}  ${name}  ${recipients.join(', ')}  ${error ?? ''}`.trim())
      }
    },
  },
  {
    name: 'stats:collect',
    usage: 'stats:collect',
    summary: 'count the days that are over for the charts, as happens every night',
    needs: 0,
    async run({ db, clock, print }) {
      await collectStats({ db, clock })
      print('The days that are over are counted.')
    },
  },
]
