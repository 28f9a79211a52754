import { canonicalAddress } from '@gatehouse/contract/canonical-address'
import { newUserInput } from '@gatehouse/contract/directory/users'
import { addMember, checkMember, originOf, requireCreator } from '../../directory/users/add-member.ts'
import { takenError } from '../../directory/users/create-member.ts'
import type { UserParts } from '../../directory/users/user-parts.ts'
import { policyOfUser, productNames } from '../../passwords/new-password.ts'
import { day } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import type { Person } from '../../platform/http/callers/principal.ts'
import { Forbidden, ValidationError } from '../../platform/http/errors.ts'
import { normaliseInput } from '../../platform/http/normalise.ts'
import { reader } from '../../platform/http/validation.ts'
import type { Secrets } from '../../platform/secrets.ts'
import { changeSubscriptions } from '../../subscriptions/change-subscriptions.ts'
import { subscriptionRights } from '../../subscriptions/policy.ts'
import {
  type AccountView,
  accountOf,
  accountStatus,
  ownedUser,
} from '../../users/account-view/account-view.ts'
import { readAccountViewIn } from '../../users/account-view/account-view-store.ts'
import { type AddressCheck, checkBeforehand } from '../../users/addresses/new-address.ts'
import { AddressTaken } from '../../users/create-user.ts'
import type { PasswordPolicy } from '../../users/settings/password-policy.ts'
import { messagesOf } from '../attempt.ts'
import { actorOfBatch, type Batch, type RowMessage, type RowOutcome, type WaitingRow } from '../batch.ts'
import { bulkPriceOf } from '../bulk-price.ts'
import { readPerson } from '../person.ts'
import { countByPackage } from '../row-store.ts'
import type { RowWorker } from '../work-batch.ts'
import type { Importer } from './importer.ts'
import { invitationDays, invitationMailJob } from './invitation-mail.ts'
import { rowSecret } from './read-upload.ts'
import { readUserRow, userColumns } from './user-columns.ts'
import { checkDefaultPackage, type PackageChoice, UserPackages } from './user-packages.ts'

export interface UserImportParts extends UserParts {
  readonly secrets: Secrets
}

/** Maximum concurrent password hashes, so that sign-ins don't have to wait long. */
const hashedAtOnce = 2

/**
 * Imports users. Every row is validated by the same functions as a single new user; only addresses and
 * packages are loaded for many rows at once.
 */
export function userImporter(parts: UserImportParts): Importer {
  return {
    columns: userColumns,
    readRow: readUserRow,
    checkParams: (db, tenantId, params) => checkDefaultPackage(db, tenantId, params.package),
    work: {
      check: (db, batch, rows) => checkRows(parts, db, batch, rows),
      price: (db, batch) => priceOf(parts, db, batch),
      prepare: (_batch, rows) => hashPasswords(parts, rows),
      begin: (trx, batch, rows, hashes) => begin(parts, trx, batch, rows, hashes),
    },
  }
}

/** Account, language and default package for users created from rows. */
type Order = Pick<Batch, 'walletId' | 'language' | 'params'>

/** Shared data for validating all rows of a batch. */
interface Desk {
  readonly db: Db
  readonly caller: AccountView
  readonly policy: PasswordPolicy
  readonly products: readonly string[]
  readonly packages: UserPackages
  readonly checkAddresses: AddressCheck
  readonly defaultPackage: string | null
}

async function deskOf(
  parts: UserImportParts,
  db: Db,
  batch: Order,
  person: Person,
  rows: readonly Pick<WaitingRow, 'input'>[],
): Promise<Desk> {
  const caller = await readAccountViewIn(db, person.userId)
  if (caller === undefined || caller.wallet.id !== batch.walletId) throw new Forbidden()
  requireCreator(person, caller)
  const account = accountOf(caller)
  return {
    db,
    caller,
    policy: await policyOfUser(db, parts.systemPolicy, caller.user.id),
    products: await productNames(db, parts.config, account.tenantId),
    packages: await packagesOf(parts, db, batch, person, caller),
    checkAddresses: await checkBeforehand(db, account, rows.flatMap(textsOf)),
    defaultPackage: typeof batch.params.package === 'string' ? batch.params.package : null,
  }
}

function packagesOf(
  parts: UserImportParts,
  db: Db,
  batch: Pick<Order, 'language'>,
  person: Person,
  caller: AccountView,
) {
  return UserPackages.read(db, {
    tenantId: caller.user.tenantId,
    language: batch.language,
    actor: subscriptionRights(person, ownedUser(caller), accountStatus(caller)),
    isOffered: parts.config.APP_WITH_SUBSCRIPTIONS,
  })
}

/** A row's addresses as the rules look them up. */
function textsOf({ input }: Pick<WaitingRow, 'input'>): string[] {
  const { email, aliases } = input
  const list: unknown[] = Array.isArray(aliases) ? aliases : []
  const texts = [email, ...list].filter(
    (text): text is string => typeof text === 'string' && text.length <= 1024,
  )
  // aliases are looked up in their canonical form
  return [...texts, ...texts.map(canonicalAddress)]
}

async function checkRows(
  parts: UserImportParts,
  db: Db,
  batch: Batch,
  rows: readonly WaitingRow[],
): Promise<RowOutcome[]> {
  const person = await readPerson(db, batch.creatorId)
  const outcomes: RowOutcome[] = []
  try {
    if (person === undefined) throw new Forbidden()
    const desk = await deskOf(parts, db, batch, person, rows)
    for (const row of rows) outcomes.push(await checkRow(parts, desk, row))
    return outcomes
  } catch (error) {
    if (!(error instanceof Forbidden)) throw error
    const messages = messagesOf(error)
    return rows.map(({ n }) => ({ n, state: 'refused', messages }))
  }
}

/** A row that is previewed without a batch. */
export interface TriedRow {
  readonly messages: readonly RowMessage[]
  /** Cents per month of each unit; empty if there are errors. */
  readonly costs: readonly number[]
}

/** Previews the creation of rows, with the rules of the import. Throws Forbidden. */
export async function tryRows(
  parts: UserImportParts,
  person: Person,
  order: Order,
  rows: readonly Pick<WaitingRow, 'input'>[],
): Promise<TriedRow[]> {
  const desk = await deskOf(parts, parts.db, order, person, rows)
  const tried: TriedRow[] = []
  for (const { input } of rows) {
    try {
      const { choice } = await readMember(parts, desk, { input, secret: null })
      tried.push({ messages: [], costs: choice.costs })
    } catch (error) {
      if (!(error instanceof ValidationError)) throw error
      tried.push({ messages: messagesOf(error), costs: [] })
    }
  }
  return tried
}

async function checkRow(parts: UserImportParts, desk: Desk, row: WaitingRow): Promise<RowOutcome> {
  try {
    await readMember(parts, desk, row)
    return { n: row.n, state: 'ok' }
  } catch (error) {
    if (!(error instanceof ValidationError)) throw error
    return { n: row.n, state: 'refused', messages: messagesOf(error) }
  }
}

/** Validates a row as a new user. Throws ValidationError with all errors. */
async function readMember(parts: UserImportParts, desk: Desk, row: Pick<WaitingRow, 'input' | 'secret'>) {
  const password = row.secret === null ? null : parts.secrets.decrypt(rowSecret, row.secret)
  const choice = await choiceOf(desk.packages, row.input, desk.defaultPackage)
  const { quota: _quota, package: _name, ...cells } = row.input
  const input = normaliseInput({
    ...cells,
    package: choice.id ?? null,
    password,
    password_confirmation: password,
  })
  const { problem } = choice
  const member = await checkMember(
    desk.db,
    accountOf(desk.caller),
    reader(newUserInput, () => input),
    {
      policy: desk.policy,
      products: desk.products,
      firstPassword: async () => ({ linkId: undefined, isTyped: password !== null }),
      checkAddresses: desk.checkAddresses,
      ...(problem !== undefined && { wrong: { [problem.field]: problem.text } }),
      // already validated together with the quota
      packageProblem: async () => undefined,
    },
  )
  return { member, choice }
}

function choiceOf(
  packages: UserPackages,
  input: WaitingRow['input'],
  defaultPackage: string | null,
): Promise<PackageChoice> {
  const { package: name, quota } = input
  return packages.choose(
    typeof name === 'string' ? name : defaultPackage,
    typeof quota === 'string' ? quota : null,
  )
}

/** Price of all rows that would succeed, grouped by package and quota. */
async function priceOf(parts: UserImportParts, db: Db, batch: Batch) {
  const added: number[] = []
  const person = await readPerson(db, batch.creatorId)
  const caller = person && (await readAccountViewIn(db, person.userId))
  if (person !== undefined && caller !== undefined) {
    const packages = await packagesOf(parts, db, batch, person, caller)
    const fallback = typeof batch.params.package === 'string' ? batch.params.package : null
    for (const { count, ...input } of await countByPackage(db, batch.id)) {
      const { costs } = await choiceOf(packages, input, fallback)
      for (let user = 0; user < count; user++) added.push(...costs)
    }
  }
  return bulkPriceOf(db, batch.walletId, { removed: [], added }, parts.clock.now())
}

async function hashPasswords(
  parts: UserImportParts,
  rows: readonly WaitingRow[],
): Promise<ReadonlyMap<number, string>> {
  const hashes = new Map<number, string>()
  for (let first = 0; first < rows.length; first += hashedAtOnce) {
    await Promise.all(
      rows.slice(first, first + hashedAtOnce).map(async ({ n, secret }) => {
        if (secret === null) return
        hashes.set(n, await parts.hasher.hash(parts.secrets.decrypt(rowSecret, secret), 'background'))
      }),
    )
  }
  return hashes
}

async function begin(
  parts: UserImportParts,
  trx: Db,
  batch: Batch,
  rows: readonly WaitingRow[],
  hashes: ReadonlyMap<number, string>,
): Promise<RowWorker> {
  const { actor } = batch
  const person = actor === null ? undefined : await readPerson(trx, actor.userId)
  if (actor === null || person === undefined) return refuseAll(new Forbidden())
  const desk = await deskOf(parts, trx, batch, person, rows).catch((error: unknown) => {
    if (error instanceof Forbidden) return error
    throw error
  })
  if (desk instanceof Forbidden) return refuseAll(desk)
  const origin = originOf(desk.caller, {
    language: batch.language,
    ip: actor.ip,
    actor: actorOfBatch(actor),
  })
  return async (row) => {
    const { member, choice } = await readMember(parts, desk, row)
    const hash = hashes.get(row.n)
    // programs create users who can't sign in yet
    const isLinked = hash === undefined && batch.params.withoutLinks !== true
    const linkId = isLinked ? await makeLink(parts, trx, person.userId) : undefined
    const id = await addMember(trx, parts, origin, { ...member, linkId }, hash ?? null).catch(
      (error: unknown) => {
        throw error instanceof AddressTaken ? takenError(error.address, member.places) : error
      },
    )
    if (choice.wanted !== undefined) await giveStorage(parts, trx, batch, person, desk.caller, id, choice)
    if (linkId !== undefined && member.body.external_email != null) {
      await parts.jobs.enqueue(trx, invitationMailJob, { linkId, userId: id })
    }
    return id
  }
}

function refuseAll(reason: Forbidden): RowWorker {
  return async () => {
    throw reason
  }
}

async function makeLink(parts: UserImportParts, trx: Db, creatorId: number): Promise<string> {
  return (await parts.codes.makeLink(trx, creatorId, invitationDays * day)).id
}

async function giveStorage(
  parts: UserImportParts,
  trx: Db,
  batch: Batch,
  person: Person,
  caller: AccountView,
  id: number,
  choice: PackageChoice,
): Promise<void> {
  await changeSubscriptions(trx, parts.clock, {
    object: { type: 'user', id },
    tenantId: caller.user.tenantId,
    walletId: batch.walletId,
    wanted: choice.wanted ?? {},
    actor: subscriptionRights(person, ownedUser(caller), accountStatus(caller)),
    language: batch.language,
    isOffered: parts.config.APP_WITH_SUBSCRIPTIONS,
  })
}
