import { oneOffStates } from '@gatehouse/contract/billing/one-offs'
import { requireWallet } from '../../billing/wallet/wallet-access.ts'
import type { WalletRecord } from '../../billing/wallet/wallet-store.ts'
import { UsageError } from '../../platform/cli/command.ts'
import { said } from '../../platform/cli/said.ts'
import { wireDate } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import { isUuid } from '../../platform/ids.ts'
import { listOneOffs, type OneOffRow, readOneOff } from '../money/one-off-store.ts'
import { approveAsOperator, endOneOff } from '../money/one-offs.ts'
import { type StaffCommand, staffParts } from './staff-command.ts'

const everybody = { tenantId: undefined }

/** Bonuses and penalties that need a second approval, which the operator may give. */
export const oneOffCommands: readonly StaffCommand[] = [
  {
    name: 'one-off:list',
    usage: `one-off:list [${oneOffStates.join(' | ')}]`,
    summary: 'list large bonuses and penalties that need, or needed, a second person; amounts in cents',
    needs: 0,
    async run({ args, db, clock, answer }) {
      const write = answer.list()
      const state = args[0] === undefined ? 'pending' : oneOffStates.find((one) => one === args[0])
      if (state === undefined) throw new UsageError(`${args[0]} is not one of ${oneOffStates.join(', ')}.`)
      const rows = await listOneOffs(db, everybody, { state, now: clock.now() }, { limit: 200, offset: 0 })
      for (const row of rows) {
        const money = `${row.amount} ${row.currency}`
        const { id, ownerEmail, amount, currency, requesterEmail, expiresAt, description } = row
        write(
          { id, ownerEmail, amount, currency, requesterEmail, expiresAt, description },
          `${row.id}  ${row.ownerEmail}  ${money}  by ${row.requesterEmail} until ${wireDate(row.expiresAt)}  ${row.description}`,
        )
      }
    },
  },
  {
    name: 'one-off:approve',
    usage: 'one-off:approve <id> [comment]',
    summary: 'approve and book a bonus or penalty requested by staff',
    needs: 1,
    async run(context) {
      const { args, db, print } = context
      const comment = args.slice(1).join(' ') || 'command line'
      const found = await find(db, args[0])
      const balance = await approveAsOperator(staffParts(context), found, { actor: {}, comment }).catch(said)
      print(`Balance: ${balance}`)
    },
  },
  {
    name: 'one-off:refuse',
    usage: 'one-off:refuse <id> <reason>',
    summary: 'refuse a bonus or penalty requested by staff',
    needs: 2,
    async run(context) {
      const { args, db, print } = context
      const by = { actor: {}, comment: args.slice(1).join(' ') }
      await endOneOff(staffParts(context), await find(db, args[0]), 'refused', by).catch(said)
      print('Refused. Nothing was booked.')
    },
  },
]

async function find(
  db: Db,
  id: string | undefined,
): Promise<{ readonly request: OneOffRow; readonly wallet: WalletRecord }> {
  const request = isUuid(id ?? '') ? await readOneOff(db, everybody, id ?? '') : undefined
  if (request === undefined) throw new UsageError(`There is no request ${id}.`)
  const operator = { userId: 0, tenantId: 0, role: 'admin' } as const
  const wallet = await requireWallet(db, operator, request.walletId, () => true).catch(said)
  return { request, wallet }
}
