import { findWallet } from '../../billing/commands/find-wallet.ts'
import { requireWallet } from '../../billing/wallet/wallet-access.ts'
import type { WalletRecord } from '../../billing/wallet/wallet-store.ts'
import { type Command, type CommandContext, UsageError } from '../../platform/cli/command.ts'
import { said } from '../../platform/cli/said.ts'
import { handOver } from '../owners/hand-over.ts'
import { endControlOf, giveControl, readControllers } from '../owners/share-control.ts'

/** Commands for the owners of an account. */
export const ownerCommands: readonly Command[] = [
  {
    name: 'wallet:controllers',
    usage: 'wallet:controllers <wallet or address of the owner>',
    summary: 'list the owner and additional owners of an account, with open invitations',
    needs: 1,
    async run(context) {
      const row = context.answer.list()
      const { id } = await findAccount(context)
      const may = { mayChange: true, mayHandOver: true }
      const { list, invitations, handOver: change } = await readControllers(context, id, may)
      for (const { email, isOwner } of list) {
        const role = isOwner ? 'owner' : 'additional owner'
        row({ email, role }, `${email}  ${role}`)
      }
      for (const { email, expires_at: until } of invitations) {
        row({ email, role: 'invited', until }, `${email}  invited until ${until}`)
      }
      if (change) {
        const { email, expires_at: until } = change
        row({ email, role: 'offered the account', until }, `${email}  offered the account until ${until}`)
      }
    },
  },
  {
    name: 'wallet:add-controller',
    usage: 'wallet:add-controller <wallet or address of the owner> <address> <reason>',
    summary:
      'make a user an additional owner of an account immediately; everyone affected is notified by e-mail',
    needs: 3,
    async run(context) {
      const account = await findAccount(context)
      const email = context.args[1] ?? ''
      await giveControl(context, account, email, reasonOf(context)).catch(said)
      context.print(`${email} is now an additional owner.`)
    },
  },
  {
    name: 'wallet:remove-controller',
    usage: 'wallet:remove-controller <wallet or address of the owner> <address> <reason>',
    summary: 'remove an additional owner of an account, or withdraw the invitation',
    needs: 3,
    async run(context) {
      const account = await findAccount(context)
      const email = context.args[1] ?? ''
      await endControlOf(context, account, email, reasonOf(context)).catch(said)
      context.print(`${email} was removed.`)
    },
  },
  {
    name: 'wallet:set-owner',
    usage: 'wallet:set-owner <wallet or address of the owner> <address> <reason>',
    summary:
      'transfer an account to another of its users immediately; the previous owner becomes an additional owner',
    needs: 3,
    async run(context) {
      const account = await findAccount(context)
      const email = context.args[1] ?? ''
      await handOver(context, account, email, reasonOf(context)).catch(said)
      context.print(`${email} is now the owner of the account.`)
    },
  },
]

async function findAccount({ db, args }: CommandContext): Promise<WalletRecord> {
  const { id, tenantId } = await findWallet(db, args[0] ?? '')
  return requireWallet(db, { userId: 0, tenantId, role: 'admin' }, id, () => true).catch(said)
}

function reasonOf({ args }: CommandContext) {
  const comment = args.slice(2).join(' ')
  if (comment.length < 3 || comment.length > 1024)
    throw new UsageError('The reason must have 3 to 1024 characters.')
  return { actor: {}, comment }
}
