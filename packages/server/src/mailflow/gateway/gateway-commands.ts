import { type Command, UsageError } from '../../platform/cli/command.ts'
import { readSecret as askSecret, refuseSecretArgument } from '../../platform/cli/read-secret.ts'
import { grantMailRole } from './mail-role-store.ts'

const databaseRoleCommand: Command = {
  name: 'mail:database-role',
  usage: 'mail:database-role <role>',
  summary: 'create a database role that reads the addresses for mail servers, or set its password',
  needs: 1,
  async run({ args: [role = '', secret], db, print, readSecret = askSecret }) {
    refuseSecretArgument(secret, 'mail:database-role')
    if (!/^[a-z][a-z0-9_]{0,62}$/.test(role)) {
      throw new UsageError('The role must start with a letter and contain only a-z, 0-9 and _.')
    }
    const result = await grantMailRole(db, role, await readSecret(`Password of ${role}`))
    print(`${role}: ${result === 'created' ? 'created' : 'password changed'}. It may read the schema mail.`)
  },
}

/** Commands about what mail servers ask. */
export const gatewayCommands: readonly Command[] = [databaseRoleCommand]
