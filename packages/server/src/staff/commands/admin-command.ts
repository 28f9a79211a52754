import { userStatus } from '@gatehouse/contract/status'
import { UsageError } from '../../platform/cli/command.ts'
import { randomToken } from '../../platform/ids.ts'
import { systemTenant } from '../../platform/tenant.ts'
import { readEmail } from '../../users/commands/find-user.ts'
import { AddressTaken, createUser } from '../../users/create-user.ts'
import type { StaffCommand } from './staff-command.ts'

/** Creates the first admin, who adds the other staff. */
export const adminCommand: StaffCommand = {
  name: 'admin:create',
  usage: 'admin:create <address>',
  summary: 'create a user with the role admin and print the first password',
  needs: 1,
  async run({ args, config, db, clock, hasher, answer }) {
    const email = readEmail(args[0])
    const password = randomToken(12)
    const passwordHash = await hasher.hash(password, 'background')
    const status = userStatus.new | userStatus.active | userStatus.imapReady
    const { APP_LOCALE: language, APP_CURRENCY: currency } = config
    const admin = {
      tenantId: systemTenant,
      email,
      passwordHash,
      role: 'admin',
      status,
      language,
      currency,
    } as const
    try {
      await db.transaction().execute((trx) => createUser(trx, clock, { ...admin, settings: {} }))
    } catch (error) {
      if (error instanceof AddressTaken) throw new UsageError(`${email.full} is already taken.`)
      throw error
    }
    const line = `${email.full} can sign in with the password ${password}`
    answer.record({ email: email.full, password }, [line])
  },
}
