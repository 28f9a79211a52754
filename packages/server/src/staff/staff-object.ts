import { type Domain, isPublicDomain, ownedDomain } from '../directory/domains/domain.ts'
import { IllegalDomainTransition } from '../directory/domains/domain-state.ts'
import { readDomain } from '../directory/domains/domain-store.ts'
import { setDomainSuspended } from '../directory/domains/suspend-domain.ts'
import { setGroupSuspension } from '../directory/groups/suspend-group.ts'
import { type DirectoryKind, type DirectoryObject, ownedObject } from '../directory/objects/object.ts'
import { IllegalObjectTransition } from '../directory/objects/object-state.ts'
import { readObject } from '../directory/objects/object-store.ts'
import { wireDate } from '../platform/clock.ts'
import type { Db } from '../platform/db/database.ts'
import type { Person } from '../platform/http/callers/principal.ts'
import { Forbidden, NotFound } from '../platform/http/errors.ts'
import { parseObjectId } from '../platform/ids.ts'
import type { ObjectRef } from '../platform/provision/object-ref.ts'
import { presentTenant } from '../platform/tenant.ts'
import { readFailures } from '../provisioning/provisioning-store.ts'
import { type OwnedObject, sees } from '../users/policy.ts'
import { ownerAndTenant, readPerson } from './account-store.ts'
import { looksAfter, mayDelete } from './policy.ts'
import type { StaffParts } from './staff-parts.ts'

/** Returns the domain of a path, deleted or not, for staff who manage it. Throws NotFound, Forbidden. */
export async function requireStaffDomain(db: Db, principal: Person, idText: string): Promise<Domain> {
  const id = parseObjectId(idText)
  const domain = id === undefined ? undefined : await readDomain(db, id)
  if (domain === undefined) throw new NotFound()
  requireCare(principal, ownedDomain(domain))
  return domain
}

/**
 * Returns the list, resource or folder of a path, deleted or not, for staff who manage it. Throws NotFound,
 * Forbidden.
 */
export async function requireStaffObject(
  db: Db,
  principal: Person,
  kind: DirectoryKind,
  idText: string,
): Promise<DirectoryObject> {
  const id = parseObjectId(idText)
  const object = id === undefined ? undefined : await readObject(db, kind, id)
  if (object === undefined) throw new NotFound()
  requireCare(principal, ownedObject(object))
  return object
}

function requireCare(principal: Person, object: OwnedObject): void {
  if (!sees(principal, object)) throw new NotFound()
  if (!looksAfter(principal, object)) throw new Forbidden()
}

/** Public sign-up domains belong to the installation and can't be suspended like a customer's. */
export function requireCustomers(domain: Domain): void {
  if (isPublicDomain(domain)) throw new NotFound()
}

/** Returns an object as staff policies see it: with the role of the account's owner. */
export async function ownedByStaffRules(db: Db, owned: OwnedObject): Promise<OwnedObject> {
  if (owned.ownerId === null) return owned
  const row = await readPerson(db, owned.ownerId)
  return { ...owned, role: row?.role ?? null }
}

/** What the cockpit shows of an object besides its owner's view. */
export async function aroundObject(
  { db, retention }: Pick<StaffParts, 'db' | 'retention'>,
  principal: Person,
  ref: ObjectRef,
  object: OwnedObject & Pick<DirectoryObject, 'deletedAt'>,
) {
  const names = await ownerAndTenant(db, object.ownerId, object.tenantId)
  const { ownerId, deletedAt, tenantId } = object
  const email = names?.email ?? null
  const isRestorable = deletedAt !== null && deletedAt > retention.since()
  const isDeletable = ownerId !== null && mayDelete(principal, await ownedByStaffRules(db, object))
  return {
    owner: ownerId === null || email === null ? null : { id: ownerId, email },
    tenant: { id: presentTenant(tenantId), title: names?.title ?? '' },
    restorable_until: deletedAt !== null && isRestorable ? wireDate(retention.until(deletedAt)) : null,
    canRestore: isRestorable,
    canDelete: isDeletable && deletedAt === null,
    canErase: isDeletable && deletedAt !== null,
    failures: await readFailures(db, ref),
  }
}

type Acting = Pick<StaffParts, 'db' | 'clock'>

/** Suspends or unsuspends a domain. Throws NotFound if it is deleted. */
export async function suspendDomain(
  { db, clock }: Acting,
  domain: Domain,
  isSuspended: boolean,
  by: Parameters<typeof setDomainSuspended>[4],
): Promise<void> {
  await db
    .transaction()
    .execute((trx) => setDomainSuspended(trx, clock, domain, isSuspended, by))
    .catch(goneIsNotFound)
}

/** Suspends or unsuspends a distribution list. Throws NotFound if it is deleted. */
export async function suspendGroup(
  { db, clock }: Acting,
  group: DirectoryObject,
  name: 'suspend' | 'unsuspend',
  by: Parameters<typeof setGroupSuspension>[4],
): Promise<void> {
  await db
    .transaction()
    .execute((trx) => setGroupSuspension(trx, clock, group, name, by))
    .catch(goneIsNotFound)
}

/** A deleted object is reported as not found. */
function goneIsNotFound(error: unknown): never {
  const isGone = error instanceof IllegalDomainTransition || error instanceof IllegalObjectTransition
  throw isGone ? new NotFound() : error
}
