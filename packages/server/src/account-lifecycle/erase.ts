import type { DirectoryKind } from '@gatehouse/contract/directory/kinds'
import { groupStatus, hasBit, userStatus } from '@gatehouse/contract/status'
import { isPublicDomain } from '../directory/domains/domain.ts'
import { holdDomain, readDomain } from '../directory/domains/domain-store.ts'
import { holdObject, readObject } from '../directory/objects/object-store.ts'
import { removeObjects } from '../directory/objects/purge-objects.ts'
import { type Actor, audit } from '../platform/audit.ts'
import type { Clock } from '../platform/clock.ts'
import type { Db } from '../platform/db/database.ts'
import { Conflict, message, NotFound } from '../platform/http/errors.ts'
import { provision } from '../platform/provision/provision.ts'
import { holdWallet } from '../subscriptions/entitlement-store.ts'
import { ownsAccount } from '../users/member-store.ts'
import {
  holdDeletedPerson,
  holdsAddresses,
  ownsRemains,
  removeAddresses,
  removeDomain,
  removeObjectFacts,
  removeTraces,
  walletOfPerson,
} from './erase-store.ts'
import { forgetUsers } from './forget-deleted.ts'

export interface EraseParts {
  readonly db: Db
  readonly clock: Clock
}

/** Actor and reason; the only details kept about a erase. */
export interface ErasedBy {
  readonly actor: Actor
  readonly comment?: string | undefined
}

/** The back ends still have it, or something that belongs to it isn't erased yet (409). */
export class ErasedTooEarly extends Conflict {
  constructor() {
    super(message('staff.erase-too-early'))
  }
}

/** Deleted objects still hold addresses in the domain that must never be reused (409). */
export class DomainHeld extends Conflict {
  constructor() {
    super(message('staff.erase-domain-held'))
  }
}

/**
 * Erases all personal data of a deleted user immediately, before the retention period ends. The ID stays,
 * because the ledger and the audit log refer to it. Throws NotFound if the user isn't deleted, and
 * ErasedTooEarly.
 */
export async function eraseUser(parts: EraseParts, id: number, by: ErasedBy): Promise<void> {
  const { db, clock } = parts
  const walletId = await walletOfPerson(db, id)
  if (walletId === undefined) throw new NotFound()
  await db.transaction().execute(async (trx) => {
    // restoring locks the wallet as well
    if (walletId !== null) await holdWallet(trx, walletId)
    const person = await holdDeletedPerson(trx, id)
    if (person === undefined) throw new NotFound()
    if (!hasBit(person.status, userStatus.deleted)) throw new ErasedTooEarly()
    if ((await ownsAccount(trx, id)) || (await ownsRemains(trx, id))) throw new ErasedTooEarly()
    await removeTraces(trx, person)
    await forgetUsers(trx, clock, [id])
    await noteErased(trx, clock, { type: 'user', id, tenantId: person.tenantId }, by)
  })
}

/** The same for a distribution list, resource or shared folder, whose row is deleted too. */
export async function eraseObject(
  { db, clock }: EraseParts,
  kind: DirectoryKind,
  id: number,
  by: ErasedBy,
): Promise<void> {
  const seen = await readObject(db, kind, id)
  if (seen === undefined) throw new NotFound()
  await db.transaction().execute(async (trx) => {
    await holdWallet(trx, seen.walletId)
    const object = await holdObject(trx, kind, id)
    if (object === undefined || object.deletedAt === null) throw new NotFound()
    // all kinds have the same deletion bit
    if (!hasBit(object.status, groupStatus.deleted)) throw new ErasedTooEarly()
    await removeAddresses(trx, object.walletId, [object.email, ...object.aliases])
    await removeObjectFacts(trx, kind, [id])
    await noteErased(trx, clock, { type: kind, id, tenantId: object.tenantId }, by)
    await removeObjects(trx, [id])
  })
}

/** The same for a domain once it has no addresses, which frees its name. Also throws DomainHeld. */
export async function eraseDomain({ db, clock }: EraseParts, id: number, by: ErasedBy): Promise<void> {
  const seen = await readDomain(db, id)
  if (seen === undefined || seen.walletId === null || isPublicDomain(seen)) throw new NotFound()
  const { walletId } = seen
  await db.transaction().execute(async (trx) => {
    await holdWallet(trx, walletId)
    const domain = await holdDomain(trx, id)
    if (domain === undefined || domain.deletedAt === null) throw new NotFound()
    if (await holdsAddresses(trx, domain.namespace)) throw new DomainHeld()
    await removeObjectFacts(trx, 'domain', [id])
    await noteErased(trx, clock, { type: 'domain', id, tenantId: domain.tenantId }, by)
    await removeDomain(trx, id)
    await provision(trx, { kind: 'domain', id })
  })
}

async function noteErased(
  trx: Db,
  clock: Clock,
  { type, id, tenantId }: { readonly type: string; readonly id: number; readonly tenantId: number },
  { actor, comment }: ErasedBy,
): Promise<void> {
  await audit(trx, clock, {
    tenantId,
    objectType: type,
    objectId: id,
    event: `${type}.erased`,
    actor,
    ...(comment !== undefined && { comment }),
  })
}
