import { canonicalAddress } from '@gatehouse/contract/canonical-address'
import { userUpdate } from '@gatehouse/contract/directory/users'
import { deleteUserIn } from '../../account-lifecycle/delete-user.ts'
import { forgetAddresses } from '../../directory/departures.ts'
import { recordChange } from '../../directory/users/record-change.ts'
import { checkAliases, profileSettings } from '../../directory/users/user-input.ts'
import { audit } from '../../platform/audit.ts'
import { type Db, isUniqueViolation } from '../../platform/db/database.ts'
import { Forbidden, message, NotFound } from '../../platform/http/errors.ts'
import { validate } from '../../platform/http/validation.ts'
import { parseObjectId } from '../../platform/ids.ts'
import { holdWallet } from '../../subscriptions/entitlement-store.ts'
import { requireUser } from '../../users/access.ts'
import { suspendUser, unsuspendUser } from '../../users/account-state.ts'
import { type AccountView, accountOf, ownedUser } from '../../users/account-view/account-view.ts'
import { changeAliases } from '../../users/addresses/address-store.ts'
import { holdUser, touchUser } from '../../users/member-store.ts'
import { canDelete, canSuspend, canUpdate } from '../../users/policy.ts'
import { writeSettings } from '../../users/setting-store.ts'
import { readSuspensionReason } from '../../users/suspension.ts'
import { invalid, notUnique } from '../errors.ts'
import { canRemove } from '../policy.ts'
import { requireValid } from '../require-valid.ts'
import { requireVersion } from '../require-version.ts'
import type { Resource } from '../schemas/attribute.ts'
import type { ScimParts, ScimRequest } from '../scim-parts.ts'
import { sortAddresses } from './create-user.ts'
import { managerOf } from './manager.ts'
import { presentUser } from './present-user.ts'
import { readUser, type UserRow, writeScimUser } from './user-store.ts'
import { type WantedUser, wantedUser } from './wanted-user.ts'

/** What is changed, and how a change of the resource is made. */
export interface UserChange {
  readonly id: string
  /** Returns the wanted resource, given the current one. */
  readonly apply: (current: Resource) => Resource
}

/** Changes a user. Nothing is written if nothing differs. Returns the resource. Throws ScimError. */
export async function changeScimUser(
  parts: ScimParts,
  request: ScimRequest,
  change: UserChange,
): Promise<Resource> {
  const view = await requireMember(parts, request, change.id, canUpdate)
  return parts.db
    .transaction()
    .execute((trx) => changeIn(trx, parts, request, view, change))
    .catch((error: unknown) => {
      throw isUniqueViolation(error, 'scim_users_external') ? notUnique('scim.external-id-taken') : error
    })
}

/** Deletes a user as the owner would. Throws ScimError. */
export async function deleteScimUser(parts: ScimParts, request: ScimRequest, id: string): Promise<void> {
  const view = await requireMember(parts, request, id, canDelete)
  if (!canRemove(request.principal, ownedUser(view))) throw new Forbidden(message('scim.owner'))
  await parts.db.transaction().execute(async (trx) => {
    requireVersion(request.ifMatch, presentUser(await holdRow(trx, request, view), request.base))
    await deleteUserIn(trx, parts, view.user.id, request.actor)
  })
}

/** Returns a user of the account. Throws NotFound, also for users of other accounts, and Forbidden. */
async function requireMember(
  { db, views }: ScimParts,
  { principal, walletId }: ScimRequest,
  text: string,
  may: Parameters<typeof requireUser>[3],
): Promise<AccountView> {
  const id = parseObjectId(text)
  if (id === undefined || (await readUser(db, walletId, id)) === undefined) throw new NotFound()
  const view = await requireUser(views, principal, text, may)
  return view
}

async function holdRow(trx: Db, { walletId }: ScimRequest, { user }: AccountView): Promise<UserRow> {
  await holdWallet(trx, walletId)
  const row = (await holdUser(trx, user.id)) ? await readUser(trx, walletId, user.id) : undefined
  if (row === undefined) throw new NotFound()
  return row
}

async function changeIn(
  trx: Db,
  parts: ScimParts,
  request: ScimRequest,
  view: AccountView,
  change: UserChange,
): Promise<Resource> {
  const { id } = view.user
  const row = await holdRow(trx, request, view)
  const current = presentUser(row, request.base)
  requireVersion(request.ifMatch, current)
  const [before, wanted] = [wantedUser(current), wantedUser(change.apply(current))]
  if (wanted.userName === null || canonicalAddress(wanted.userName) !== row.email) {
    throw invalid('mutability', 'scim.user-name-fixed')
  }
  await writeProfile(trx, parts, request, row, { before, wanted })
  await writeActive(trx, parts, request, view, { before, wanted })
  await writeLinks(trx, parts, request, view, row, wanted)
  const after = await readUser(trx, request.walletId, id)
  if (after === undefined) throw new NotFound()
  return presentUser(after, request.base)
}

interface Difference {
  readonly before: WantedUser
  readonly wanted: WantedUser
}

/** Personal fields and aliases. The external address isn't changed: it receives links that set the password. */
async function writeProfile(
  trx: Db,
  { clock }: ScimParts,
  request: ScimRequest,
  row: UserRow,
  { before, wanted }: Difference,
): Promise<void> {
  const { actor, walletId, account } = request
  const { tenantId } = accountOf(account)
  const changed = Object.entries(wanted.profile).filter(
    ([name, value]) => value !== before.profile[name as keyof WantedUser['profile']], // the same keys
  )
  const { own } = await sortAddresses({ db: trx }, request, wanted.emails)
  const added = own.filter((address) => !row.aliases.includes(address))
  const removed = row.aliases.filter((address) => !wanted.emails.includes(address))
  if (changed.length === 0 && added.length === 0 && removed.length === 0) return
  const settings = profileSettings(validate(userUpdate, Object.fromEntries(changed)))
  const checked = requireValid(
    await checkAliases(trx, { ...accountOf(account), ownDomainsOnly: true }, added, [row.email]),
  )
  await recordChange(trx, clock, row.id, actor, async () => {
    await writeSettings(trx, row.id, settings)
    await forgetAddresses(trx, clock, { walletId, tenantId, addresses: removed }, actor)
    await changeAliases(trx, { id: row.id, tenantId, kind: 'alias' }, { removed, added: checked.added })
  })
}

/** Suspends the user, or ends a suspension by the account. */
async function writeActive(
  trx: Db,
  { clock }: ScimParts,
  { principal, actor }: ScimRequest,
  view: AccountView,
  { before, wanted }: Difference,
): Promise<void> {
  if (before.isActive === wanted.isActive) return
  const { id } = view.user
  if (!canSuspend(principal, ownedUser(view))) throw new Forbidden(message('scim.owner'))
  if (!wanted.isActive) {
    await suspendUser(trx, clock, id, { actor, reason: 'account' })
    return
  }
  if ((await readSuspensionReason(trx, id)) !== 'account')
    throw new Forbidden(message('bulk.suspended-by-us'))
  await unsuspendUser(trx, clock, id, { actor })
}

async function writeLinks(
  trx: Db,
  { clock }: ScimParts,
  { actor, walletId }: ScimRequest,
  { user }: AccountView,
  row: UserRow,
  { externalId, managerId: wantedManager }: WantedUser,
): Promise<void> {
  const isSame = wantedManager === (row.managerId === null ? null : String(row.managerId))
  const managerId = isSame ? row.managerId : await managerOf(trx, walletId, wantedManager)
  if (managerId === row.id) throw invalid('invalidValue', 'scim.no-such-user', { id: String(managerId) })
  if (isSame && externalId === row.externalId) return
  await writeScimUser(trx, { id: row.id, walletId, externalId, managerId })
  await touchUser(trx, clock, row.id)
  if (isSame) return
  const { tenantId } = user
  const data = { before: { manager: row.managerName }, after: { manager: wantedManager } }
  await audit(trx, clock, {
    tenantId,
    objectType: 'user',
    objectId: row.id,
    event: 'user.updated',
    actor,
    data,
  })
}
