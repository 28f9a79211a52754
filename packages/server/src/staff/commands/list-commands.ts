import { hasBit, userStatus } from '@gatehouse/contract/status'
import { UsageError } from '../../platform/cli/command.ts'
import { readArguments, readDay, readNumber } from '../../platform/cli/options.ts'
import { wireDate } from '../../platform/clock.ts'
import { amountCell, momentCell } from '../../platform/csv/write-csv.ts'
import { findView } from '../../users/commands/find-user.ts'
import {
  type ListedKind,
  type ListedObject,
  type ListFilter,
  listEverything,
  listStates,
  listWallets,
} from '../list-store.ts'
import type { StaffCommand, StaffContext } from './staff-command.ts'

const roles = ['admin', 'reseller', 'service'] as const
const filters = ['tenant', 'status', 'owner', 'role', 'from', 'to', 'csv'] as const

async function readFilter(context: StaffContext): Promise<{ filter: ListFilter; isCsv: boolean }> {
  const { words, options } = readArguments(context.args, filters, ['csv'])
  if (words.length > 0) throw new UsageError(`${words[0]} is not an option of this command.`)
  const { owner, role, status, from, to, tenant, csv } = options
  const filter = {
    tenantId: readNumber(tenant),
    state: oneOf('status', status, listStates),
    role: oneOf('role', role, roles),
    ownerId: owner === undefined ? undefined : (await findView(context, owner)).user.id,
    createdFrom: from === undefined ? undefined : startOf(from),
    createdBefore: to === undefined ? undefined : startOf(to),
  }
  return { filter, isCsv: csv !== undefined }
}

function startOf(text: string): Date {
  return new Date(`${readDay(text)}T00:00:00Z`)
}

function oneOf<T extends string>(name: string, text: string | undefined, known: readonly T[]): T | undefined {
  if (text === undefined) return undefined
  const found = known.find((one) => one === text)
  if (found === undefined) throw new UsageError(`--${name} must be one of ${known.join(', ')}.`)
  return found
}

/** Returns the state by which a filter finds an object; deleted comes last. */
function stateOf(kind: ListedKind, { status, deletedAt }: ListedObject): string {
  if (deletedAt !== null) return 'deleted'
  const states: string[] = []
  if (hasBit(status, userStatus.suspended)) states.push('suspended')
  if (kind === 'user' && hasBit(status, userStatus.degraded)) states.push('degraded')
  if (kind === 'user' && hasBit(status, userStatus.restricted)) states.push('restricted')
  if (states.length > 0) return states.join(' ')
  return hasBit(status, userStatus.active) ? 'active' : 'new'
}

function listCommand(kind: ListedKind, words: string): StaffCommand {
  const more = kind === 'user' ? ` [--role=${roles.join('|')}]` : ''
  return {
    name: `${kind}:list`,
    usage: `${kind}:list [--tenant=<number>] [--status=${listStates.join('|')}] [--owner=<address>]${more} [--from=<day>] [--to=<day>] [--csv]`,
    summary: `list ${words}, for scripts; --from and --to are creation dates, --to is exclusive`,
    needs: 0,
    async run(context) {
      const { filter, isCsv } = await readFilter(context)
      const name = kind === 'domain' ? 'domain' : 'email'
      const head = ['id', name, 'tenant', 'owner', 'role', 'status', 'created_at', 'deleted_at']
      const write = context.answer.list(isCsv ? head : undefined)
      for await (const one of listEverything(context.db, kind, filter)) {
        const { id, name: text, tenantId: tenant, owner, role, createdAt: created, deletedAt: deleted } = one
        const state = stateOf(kind, one)
        write(
          { id, [name]: text, tenant, owner, role, status: state, createdAt: created, deletedAt: deleted },
          `${id}  ${text}  ${owner ?? '-'}  ${role === null ? state : `${state} ${role}`}  ${wireDate(created)}`,
          [id, text, tenant, owner, role, state, momentCell(created), deleted && momentCell(deleted)],
        )
      }
    },
  }
}

const walletCommand: StaffCommand = {
  name: 'wallet:list',
  usage: 'wallet:list [--tenant=<number>] [--status=debt|credit|empty] [--csv]',
  summary: 'list wallets with balance and discount, for scripts',
  needs: 0,
  async run(context) {
    const { options } = readArguments(context.args, ['tenant', 'status', 'csv'], ['csv'])
    const state = oneOf('status', options.status, ['debt', 'credit', 'empty'])
    const head = ['wallet', 'owner', 'tenant', 'balance', 'currency', 'discount', 'degraded', 'created_at']
    const write = context.answer.list(options.csv === undefined ? undefined : head)
    for await (const one of listWallets(context.db, { tenantId: readNumber(options.tenant), state })) {
      const { id, owner, tenantId: tenant, balance, currency, discount, status, createdAt: created } = one
      const degraded = hasBit(status, userStatus.degraded) ? 'degraded' : ''
      const isDegraded = degraded !== ''
      write(
        { id, owner, tenant, balance, currency, discount, isDegraded, createdAt: created },
        `${id}  ${owner}  ${balance} ${currency}  ${discount === null ? '' : `${discount}%  `}${degraded}`.trim(),
        [id, owner, tenant, amountCell(balance), currency, discount, degraded, momentCell(created)],
      )
    }
  },
}

/** Filtered lists of all kinds of objects, as text or CSV. */
export const listCommands: readonly StaffCommand[] = [
  listCommand('user', 'users'),
  listCommand('domain', 'domains'),
  listCommand('group', 'distribution lists'),
  listCommand('resource', 'resources'),
  listCommand('shared-folder', 'shared folders'),
  walletCommand,
]
