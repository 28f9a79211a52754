import type { WithHasher } from '../passwords/hasher.ts'
import { requirementsOfUser, systemPolicy } from '../passwords/new-password.ts'
import { requirePassword } from '../passwords/require-password.ts'
import type { Command } from '../platform/cli/command.ts'
import { readSecret, refuseSecretArgument } from '../platform/cli/read-secret.ts'
import { findUser } from '../users/commands/find-user.ts'
import { setPassword } from './password-reset/set-password.ts'
import type { IdentityConfig } from './plugin.ts'
import { Tokens } from './tokens/tokens.ts'

/** Sets a user's password and ends everything that depended on the old one. */
export const passwordCommand: Command<IdentityConfig, WithHasher> = {
  name: 'user:password',
  usage: 'user:password <address>',
  summary:
    'set the password of a user, entered at a prompt or read from standard input; all sessions of the user end',
  needs: 1,
  async run({ args, config, database, db, clock, hasher, print, readSecret: read = readSecret }) {
    refuseSecretArgument(args[1], 'user:password')
    const user = await findUser(db, args[0])
    const password = await read('New password')
    const parts = { systemPolicy: systemPolicy(config), config }
    const requirements = await requirementsOfUser(db, parts, user.id)
    requirePassword(requirements, password)
    const { policy } = requirements
    const passwordHash = await hasher.hash(password, 'background')
    const life = { access: config.OAUTH_TOKEN_EXPIRY, refresh: config.OAUTH_REFRESH_TOKEN_EXPIRY }
    const tokens = new Tokens(db, database.pool, clock, life)
    await db
      .transaction()
      .execute((trx) => setPassword(trx, clock, tokens, { userId: user.id, passwordHash, policy, actor: {} }))
    print(`The password of ${user.email} was set.`)
  },
}
