import { atCommandLine, type Command, type CommandContext } from '../../platform/cli/command.ts'
import { said } from '../../platform/cli/said.ts'
import { findUser, findView } from '../../users/commands/find-user.ts'
import { type KeyOwner, revokeApiKey } from './api-keys.ts'
import { readApiKeys, walletsOwnedBy } from './store.ts'

/** API keys of customers. */
export const apiKeyCommands: readonly Command[] = [
  {
    name: 'api-key:list',
    usage: 'api-key:list <address>',
    summary: 'list the API keys of a user, and of the account that the user owns; secrets are never shown',
    needs: 1,
    async run({ args, db, clock, print, answer }) {
      const user = await findUser(db, args[0])
      const walletIds = await walletsOwnedBy(db, user.id)
      const keys = await readApiKeys(db, { userId: user.id, walletIds }, clock.now())
      const row = answer.list()
      if (keys.length === 0) print('No API keys.')
      for (const key of keys) {
        const kind = key.walletId === null ? 'personal' : 'account'
        const until = key.expiresAt === null ? 'never' : key.expiresAt.toISOString()
        const used = key.lastUsedAt === null ? 'never' : key.lastUsedAt.toISOString()
        row({ ...key, kind }, `${key.id}  ${kind}  ${key.name}  expires ${until}  last used ${used}`)
      }
    },
  },
  {
    name: 'api-key:revoke',
    usage: 'api-key:revoke <address> <id> <reason>',
    summary: 'revoke an API key of a user or of the account that the user owns; it stops working at once',
    needs: 3,
    async run(context) {
      const [address, id = '', ...reason] = context.args
      const owner = await ownerOf(context, address)
      const by = { actor: atCommandLine.actor, comment: reason.join(' ') }
      await revokeApiKey(context, owner, id, by).catch(said)
      context.print('The API key was revoked.')
    },
  },
]

/** A user with the account that the user owns. */
async function ownerOf(context: CommandContext, address: string | undefined): Promise<KeyOwner> {
  const { user, wallet } = await findView(context, address)
  const owns = (await walletsOwnedBy(context.db, user.id)).includes(wallet.id)
  const account = owns ? { walletId: wallet.id, ownerId: user.id } : undefined
  return { userId: user.id, tenantId: user.tenantId, account }
}
