import { atCommandLine, type Command, UsageError } from '../platform/cli/command.ts'
import type { FeatureSettings } from '../platform/settings/feature-settings.ts'
import { readEmail } from '../users/commands/find-user.ts'
import { Retention } from '../users/retention.ts'
import { findDeletedUser } from './deleted-user-store.ts'
import { restoreAccount } from './restore-account.ts'

/** Command that restores deleted users. */
export const restoreCommand: Command<Pick<FeatureSettings, 'RETENTION_DAYS'>> = {
  name: 'user:restore',
  usage: 'user:restore <address> [reason]',
  summary: 'restore a deleted user; for the owner of an account, also everything deleted with it',
  needs: 1,
  async run({ args, config, db, clock, print }) {
    const email = readEmail(args[0]).full
    const id = await findDeletedUser(db, email)
    if (id === undefined) throw new UsageError(`There is no deleted user ${email}.`)
    const retention = new Retention(clock, config.RETENTION_DAYS)
    const { users, domains, objects, failed } = await restoreAccount(
      { db, clock, retention },
      id,
      {},
      args.slice(1).join(' ') || atCommandLine.comment,
    )
    print(
      `${email} was restored, with ${users} users, ${domains} domains and ${objects} lists, resources and folders.`,
    )
    for (const problem of failed) print(`not restored: ${problem}`)
  },
}
