import { canonicalAddress } from '@gatehouse/contract/canonical-address'
import { maxMembers } from '@gatehouse/contract/directory/groups'
import { nestingErrors } from '../../directory/groups/check-members.ts'
import { groupCreation } from '../../directory/groups/create-group.ts'
import { changeMembers } from '../../directory/groups/member-store.ts'
import { changeObjectIn } from '../../directory/objects/change-object.ts'
import { createObjectIn, nameTaken } from '../../directory/objects/create-object.ts'
import { endObject } from '../../directory/objects/end-object.ts'
import type { DirectoryObject } from '../../directory/objects/object.ts'
import { requireCreation, requireObject } from '../../directory/objects/object-access.ts'
import { atName, checkName, checkNewName } from '../../directory/objects/object-name.ts'
import { writeObject } from '../../directory/objects/object-store.ts'
import { checkEmail } from '../../directory/users/user-input.ts'
import { type Db, isUniqueViolation } from '../../platform/db/database.ts'
import { message, NotFound, ValidationError } from '../../platform/http/errors.ts'
import { parseObjectId } from '../../platform/ids.ts'
import { holdWallet } from '../../subscriptions/entitlement-store.ts'
import { accountOf } from '../../users/account-view/account-view.ts'
import { canDelete, canUpdate } from '../../users/policy.ts'
import { invalid, notUnique } from '../errors.ts'
import { requireValid } from '../require-valid.ts'
import { requireVersion } from '../require-version.ts'
import type { Resource } from '../schemas/attribute.ts'
import { groupSchema } from '../schemas/group-schema.ts'
import { readResource } from '../schemas/read-resource.ts'
import type { ScimParts, ScimRequest } from '../scim-parts.ts'
import { newGroupAddress } from './group-address.ts'
import { isGroup, memberAddresses, readGroup, writeScimGroup } from './group-store.ts'
import { presentGroup } from './present-group.ts'
import { type WantedGroup, wantedGroup } from './wanted-group.ts'

/** Maximum number of added, and of removed, addresses named in one audit log entry. */
const mostNamed = 100

/** Creates a distribution list. Throws ScimError. */
export async function createScimGroup(
  parts: ScimParts,
  request: ScimRequest,
  body: unknown,
): Promise<Resource> {
  const { account, principal, t, walletId } = request
  await requireCreation(parts.presenter, principal, account, 'group', { t, language: t.language })
  const wanted = wantedGroup(readResource(groupSchema, body))
  const checked = await checkNewGroup(parts, request, wanted)
  return parts.db
    .transaction()
    .execute(async (trx) => {
      await holdWallet(trx, walletId)
      const members = await membersOf(trx, walletId, 0, wanted.members)
      const places = new Map(members.added.map((address, index) => [address, index]))
      const id = await createObjectIn(
        trx,
        parts.clock,
        groupCreation(account, { ...checked, places }, request.actor),
      )
      await writeScimGroup(trx, { id, walletId, externalId: wanted.externalId })
      return present(trx, request, id)
    })
    .catch(throwNotUnique)
}

/** Changes a distribution list. Nothing is written if nothing differs. Throws ScimError. */
export async function changeScimGroup(
  parts: ScimParts,
  request: ScimRequest,
  change: { readonly id: string; readonly apply: (current: Resource) => Resource },
): Promise<Resource> {
  const group = await requireGroup(parts, request, change.id, canUpdate)
  return parts.db
    .transaction()
    .execute(async (trx) => {
      await changeObjectIn(trx, parts, {
        object: group,
        actor: request.actor,
        event: 'group.updated',
        snapshot: async (_, { name, members }) => ({ name, members }),
        apply: (inner, now) => applyChange(inner, parts, request, now, change.apply),
      })
      return present(trx, request, group.id)
    })
    .catch(throwNotUnique)
}

/** Deletes a distribution list. Throws ScimError. */
export async function deleteScimGroup(parts: ScimParts, request: ScimRequest, id: string): Promise<void> {
  const group = await requireGroup(parts, request, id, canDelete)
  await parts.db.transaction().execute(async (trx) => {
    await holdWallet(trx, request.walletId)
    requireVersion(request.ifMatch, await present(trx, request, group.id))
    if (!(await endObject(trx, parts.clock, group, request.actor))) throw new NotFound()
  })
}

async function checkNewGroup({ db }: ScimParts, { account, walletId }: ScimRequest, wanted: WantedGroup) {
  const { displayName, email: sent } = wanted
  if (displayName === null) throw invalid('invalidValue', 'scim.required', { name: 'displayName' })
  const owner = accountOf(account)
  const email =
    sent === null
      ? await newGroupAddress(db, owner, walletId, displayName)
      : requireValid(await checkEmail(db, { ...owner, ownDomainsOnly: true }, sent))
  const { domain } = email
  return {
    email,
    name: requireValid(atName(await checkName(db, { kind: 'group', domain, text: displayName }))),
  }
}

async function requireGroup(
  parts: ScimParts,
  { principal, walletId }: ScimRequest,
  text: string,
  may: Parameters<typeof requireObject>[3],
): Promise<DirectoryObject> {
  const id = parseObjectId(text)
  if (id === undefined || !(await isGroup(parts.db, walletId, id))) throw new NotFound()
  return requireObject(parts, principal, { kind: 'group', id: text }, may)
}

async function present(db: Db, { walletId, base }: ScimRequest, id: number): Promise<Resource> {
  const row = await readGroup(db, walletId, id)
  if (row === undefined) throw new NotFound()
  return presentGroup(row, base)
}

/** Writes the differences in the transaction that holds account and list. Returns the members for the audit log. */
async function applyChange(
  trx: Db,
  parts: ScimParts,
  request: ScimRequest,
  now: DirectoryObject,
  apply: (current: Resource) => Resource,
): Promise<Record<string, unknown> | undefined> {
  const current = await present(trx, request, now.id)
  requireVersion(request.ifMatch, current)
  const [before, wanted] = [wantedGroup(current), wantedGroup(apply(current))]
  if (wanted.email !== null && canonicalAddress(wanted.email) !== now.email) {
    throw invalid('mutability', 'scim.group-address-fixed')
  }
  if (wanted.displayName === null) throw invalid('invalidValue', 'scim.required', { name: 'displayName' })
  const name = requireValid(await checkNewName(trx, now, wanted.displayName))
  const changed = await writeMembers(trx, request, now, before.members, wanted.members)
  if (before.externalId !== wanted.externalId) {
    await writeScimGroup(trx, { id: now.id, walletId: request.walletId, externalId: wanted.externalId })
  }
  const isOther = before.externalId !== wanted.externalId || before.displayName !== wanted.displayName
  if (changed !== undefined || isOther) {
    await writeObject(trx, parts.clock, now.id, { name: name ?? now.name })
  }
  return changed
}

async function writeMembers(
  trx: Db,
  { walletId }: ScimRequest,
  group: DirectoryObject,
  before: readonly string[],
  wanted: readonly string[],
): Promise<Record<string, unknown> | undefined> {
  const known = new Set(before)
  const kept = new Set(wanted)
  if (before.length === wanted.length && wanted.every((id) => known.has(id))) return undefined
  const come = wanted.filter((id) => !known.has(id))
  const gone = before.filter((id) => !kept.has(id))
  const { added, removed } = await membersOf(trx, walletId, group.id, come, gone)
  if (group.members + added.length - removed.length > maxMembers) {
    throw new ValidationError({ members: message('directory.too-many-members', { max: maxMembers }) })
  }
  const loops = await nestingErrors(
    trx,
    group.email,
    new Map(added.map((address, index) => [address, index])),
  )
  if (loops.size > 0) throw new ValidationError({ members: loops })
  await changeMembers(trx, group.id, { added, removed })
  return { added: added.slice(0, mostNamed), removed: removed.slice(0, mostNamed) }
}

/** Returns the addresses of users and lists to add and to remove. Throws ScimError for ids not in the account. */
async function membersOf(
  trx: Db,
  walletId: string,
  groupId: number,
  come: readonly string[],
  gone: readonly string[] = [],
): Promise<{ added: string[]; removed: string[] }> {
  if (come.length > maxMembers) {
    throw new ValidationError({ members: message('directory.too-many-members', { max: maxMembers }) })
  }
  const ids = come.map((text) => parseObjectId(text) ?? unknownMember(text))
  const { held, known } = await memberAddresses(trx, walletId, groupId, ids)
  const addresses = new Map(known.map(({ id, address }) => [String(id), address]))
  const leaving = new Set(gone)
  return {
    added: come.map((text) => addresses.get(text) ?? unknownMember(text)),
    removed: held.filter(({ id }) => leaving.has(String(id))).map(({ address }) => address),
  }
}

function unknownMember(text: string): never {
  throw invalid('invalidValue', 'scim.no-such-member', { id: text.slice(0, 64) })
}

function throwNotUnique(error: unknown): never {
  if (isUniqueViolation(error, 'scim_groups_external')) throw notUnique('scim.external-id-taken')
  throw nameTaken(error)
}
