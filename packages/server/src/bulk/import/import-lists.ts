import { canonicalAddress } from '@gatehouse/contract/canonical-address'
import { newGroupInput } from '@gatehouse/contract/directory/groups'
import { checkMembers } from '../../directory/groups/check-members.ts'
import { checkGroup, groupCreation } from '../../directory/groups/create-group.ts'
import { changeOneMember } from '../../directory/groups/update-group.ts'
import { createObjectIn, nameTaken } from '../../directory/objects/create-object.ts'
import { type DirectoryObject, ownedObject } from '../../directory/objects/object.ts'
import { requireCreation } from '../../directory/objects/object-access.ts'
import { findGroup } from '../../directory/objects/object-store.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import type { Person } from '../../platform/http/callers/principal.ts'
import { Forbidden, HttpError, message, ValidationError } from '../../platform/http/errors.ts'
import { errorsIn, reader, valueIn } from '../../platform/http/validation.ts'
import { createTranslator } from '../../platform/i18n/translator.ts'
import { countWalletUnits } from '../../subscriptions/entitlement-store.ts'
import { nextCost } from '../../subscriptions/prices/pricing.ts'
import { readSkus } from '../../subscriptions/sku-store.ts'
import { type AccountView, accountOf } from '../../users/account-view/account-view.ts'
import { readAccountViewIn } from '../../users/account-view/account-view-store.ts'
import type { UserPresenter } from '../../users/account-view/presenter.ts'
import { type AddressCheck, checkBeforehand } from '../../users/addresses/new-address.ts'
import { AddressTaken } from '../../users/create-user.ts'
import { canUpdate, sees } from '../../users/policy.ts'
import { messagesOf } from '../attempt.ts'
import type { Batch, RowOutcome, WaitingRow } from '../batch.ts'
import { bulkPriceOf } from '../bulk-price.ts'
import type { Column } from '../csv/columns.ts'
import { readPerson } from '../person.ts'
import { countStates } from '../row-store.ts'
import type { BatchWork, RowWorker } from '../work-batch.ts'
import type { Importer } from './importer.ts'

export interface ListImportParts {
  readonly clock: Clock
  readonly presenter: UserPresenter
}

const address = ['e-mail address', 'address', 'adresse', 'e-mail-adresse', 'courriel', 'indirizzo']
const members = ['member', 'mitglied', 'mitglieder', 'empfänger', 'membre', 'membres', 'membro', 'membri']

const listColumns: readonly Column[] = [
  { name: 'email', isRequired: true, also: address },
  { name: 'name', isRequired: true, also: ['nom', 'nome'] },
  { name: 'members', isRequired: true, also: ['recipients', ...members] },
  { name: 'id', isIgnored: true },
  { name: 'created_at', isIgnored: true },
]

const memberColumns: readonly Column[] = [
  { name: 'list', isRequired: true, also: ['liste', 'lista', 'verteilerliste'] },
  { name: 'member', isRequired: true, also: ['recipient', ...members.filter((one) => one !== 'member')] },
]

/** Imports distribution lists, each with all its recipients. */
export function listImporter(parts: ListImportParts): Importer {
  return {
    columns: listColumns,
    readRow({ members: cell = null, ...cells }) {
      const list = (cell ?? '').split(/[\s,;|]+/).filter((one) => one !== '')
      const email = cells.email ?? ''
      return {
        label: email,
        input: { ...cells, members: list },
        addresses: email === '' ? [] : [canonicalAddress(email)],
      }
    },
    work: rowWork(parts, {
      async prepare(db, caller, rows) {
        const account = { ...accountOf(caller), ownDomainsOnly: true }
        const emails = rows.flatMap(({ input }) => (typeof input.email === 'string' ? [input.email] : []))
        const check = await checkBeforehand(db, account, emails)
        return { check: (row) => readList(db, caller, row, check) }
      },
      async act(trx, caller, row, actor) {
        const group = await readList(trx, caller, row)
        return createObjectIn(trx, parts.clock, groupCreation(caller, group, actor)).catch(
          (error: unknown) => {
            if (error instanceof AddressTaken) throw ValidationError.at('email', 'validation.entryexists')
            throw nameTaken(error)
          },
        )
      },
      async added(db, caller, count) {
        const sku = (await readSkus(db, caller.user.tenantId)).find((one) => one.title === 'group')
        const held = sku && ((await countWalletUnits(db, caller.wallet.id)).get(sku.id) ?? 0)
        if (sku === undefined || held === undefined) return []
        return Array.from({ length: count }, (_, index) => nextCost(sku, held + index))
      },
    }),
  }
}

/** Imports recipients of existing lists, one per row. */
export function memberImporter(parts: ListImportParts): Importer {
  return {
    columns: memberColumns,
    readRow: (cells) => ({
      label: `${cells.list ?? ''} ${cells.member ?? ''}`.trim(),
      input: cells,
      addresses: [],
    }),
    work: rowWork(parts, {
      prepare: async (db, caller, _rows, person) => ({ check: (row) => readMember(db, caller, person, row) }),
      async act(trx, caller, row, actor, person) {
        const { group, member } = await readMember(trx, caller, person, row)
        await changeOneMember(trx, parts.clock, group, { address: member, isMember: true }, actor)
        return group.id
      },
      added: async () => [],
    }),
  }
}

function readList(db: Db, caller: AccountView, row: WaitingRow, check?: AddressCheck) {
  return checkGroup(
    db,
    caller,
    reader(newGroupInput, () => row.input),
    check,
  )
}

async function readMember(
  db: Db,
  caller: AccountView,
  person: Person,
  { input }: WaitingRow,
): Promise<{ group: DirectoryObject; member: string }> {
  const list = typeof input.list === 'string' ? input.list : ''
  const group = await findGroup(db, canonicalAddress(list))
  const isOurs =
    group !== undefined && group.walletId === caller.wallet.id && sees(person, ownedObject(group))
  const problems: Record<string, ReturnType<typeof message>> = {}
  if (list === '') problems.list = message('validation.required')
  else if (!isOurs || !canUpdate(person, ownedObject(group))) {
    problems.list = message('bulk.list-unknown', { list: list.slice(0, 100) })
  }
  const text = typeof input.member === 'string' ? input.member : null
  const checked = await checkMembers(db, accountOf(caller), group?.email, [text])
  const { members: wrong } = errorsIn(checked)
  const [member] = valueIn(checked)?.keys() ?? []
  if (member === undefined) {
    const [error = message('validation.required')] = wrong instanceof Map ? wrong.values() : []
    problems.member = error
  }
  if (Object.keys(problems).length > 0 || group === undefined || member === undefined) {
    throw new ValidationError(problems)
  }
  return { group, member }
}

/** Differences between files of lists and of members. */
interface RowKind {
  /** Loads shared data of many rows, and returns the check for each. */
  prepare(
    db: Db,
    caller: AccountView,
    rows: readonly WaitingRow[],
    person: Person,
  ): Promise<{ check: (row: WaitingRow) => Promise<unknown> }>
  act(
    trx: Db,
    caller: AccountView,
    row: WaitingRow,
    actor: NonNullable<Batch['actor']>,
    person: Person,
  ): Promise<number>
  /** Cents per month of each unit that this many rows add. */
  added(db: Db, caller: AccountView, count: number): Promise<number[]>
}

function rowWork({ clock, presenter }: ListImportParts, kind: RowKind): BatchWork {
  /** The user's account, if it may currently create lists. Throws Forbidden. */
  async function callerOf(db: Db, batch: Batch, person: Person | undefined): Promise<AccountView> {
    const view = person && (await readAccountViewIn(db, person.userId))
    if (person === undefined || view === undefined || view.wallet.id !== batch.walletId) throw new Forbidden()
    const { language } = batch
    await requireCreation(presenter, person, view, 'group', { language, t: createTranslator(language) })
    return view
  }

  return {
    async check(db, batch, rows) {
      const outcomes: RowOutcome[] = []
      try {
        const person = await readPerson(db, batch.creatorId)
        const caller = await callerOf(db, batch, person)
        if (person === undefined) throw new Forbidden()
        const { check } = await kind.prepare(db, caller, rows, person)
        for (const row of rows) outcomes.push(await outcomeOf(row.n, () => check(row)))
        return outcomes
      } catch (error) {
        if (!(error instanceof Forbidden)) throw error
        return rows.map(({ n }) => ({ n, state: 'refused', messages: messagesOf(error) }))
      }
    },
    async price(db, batch) {
      const view = await readAccountViewIn(db, batch.creatorId)
      const count = await countStates(db, batch.id, 'ok')
      const added = view === undefined ? [] : await kind.added(db, view, count)
      return bulkPriceOf(db, batch.walletId, { removed: [], added }, clock.now())
    },
    async begin(trx, batch): Promise<RowWorker> {
      const { actor } = batch
      const person = actor === null ? undefined : await readPerson(trx, actor.userId)
      const caller = await callerOf(trx, batch, person).catch((error: unknown) => {
        if (error instanceof Forbidden) return error
        throw error
      })
      return async (row) => {
        if (caller instanceof Forbidden) throw caller
        if (actor === null || person === undefined) throw new Forbidden()
        return kind.act(trx, caller, row, actor, person)
      }
    },
  }
}

async function outcomeOf(n: number, check: () => Promise<unknown>): Promise<RowOutcome> {
  try {
    await check()
    return { n, state: 'ok' }
  } catch (error) {
    if (!(error instanceof HttpError)) throw error
    return { n, state: 'refused', messages: messagesOf(error) }
  }
}
