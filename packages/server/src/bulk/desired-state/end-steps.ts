import { deleteUserIn } from '../../account-lifecycle/delete-user.ts'
import { restoreUserIn } from '../../account-lifecycle/restore-user.ts'
import { requireDeletedDomain, requireDomain, requirePaid } from '../../directory/domains/access.ts'
import { deleteDomainIn } from '../../directory/domains/delete-domain.ts'
import { restoreDomainIn } from '../../directory/domains/restore-domain.ts'
import { nameTaken } from '../../directory/objects/create-object.ts'
import { endObject } from '../../directory/objects/end-object.ts'
import { requireObject } from '../../directory/objects/object-access.ts'
import { restoreObjectIn } from '../../directory/objects/restore-object.ts'
import { mayDelete } from '../../meetings/policy.ts'
import { deleteRoom, restoreRoomIn } from '../../meetings/rooms/end-room.ts'
import { requireRoom } from '../../meetings/rooms/room-access.ts'
import { Forbidden, message, NotFound } from '../../platform/http/errors.ts'
import { requireUser } from '../../users/access.ts'
import { ownedUser } from '../../users/account-view/account-view.ts'
import { actorOf } from '../../users/actor.ts'
import { canDelete, canRestore, mayBuy } from '../../users/policy.ts'
import { canDeleteAmongMany } from '../policy.ts'
import type { Applying } from './apply-steps.ts'
import { directoryKindOf } from './check-objects.ts'
import type { Step } from './steps.ts'

/** Deletes the object of a step as the single call does. Returns its id. */
export async function endStep(work: Applying, { kind, id = 0 }: Step): Promise<number> {
  const { trx, parts, principal, facts } = work
  const by = actorOf(principal, facts)
  switch (kind) {
    case 'domains': {
      const domain = await requireDomain(trx, principal, String(id), canDelete)
      await deleteDomainIn(trx, parts.clock, domain, by)
      return id
    }
    case 'users': {
      const view = await requireUser(parts.views, principal, String(id), canDelete)
      if (!canDeleteAmongMany(principal, ownedUser(view))) throw new Forbidden()
      await deleteUserIn(trx, parts, id, by)
      return id
    }
    case 'rooms': {
      const room = await requireRoom(trx, principal, String(id), mayDelete)
      await deleteRoom(parts, room, by)
      return id
    }
    case 'policies':
      throw new NotFound()
    default: {
      const wanted = { kind: directoryKindOf[kind], id: String(id) }
      const object = await requireObject({ db: trx }, principal, wanted, canDelete)
      if (!(await endObject(trx, parts.clock, object, by))) throw new NotFound()
      return id
    }
  }
}

/** Restores the deleted object of a step as the single call does. Returns its id. */
export async function restoreStep(work: Applying, { kind, id = 0 }: Step): Promise<number> {
  const { trx, parts, principal, facts } = work
  const { clock, retention } = parts
  const by = actorOf(principal, facts)
  switch (kind) {
    case 'domains': {
      const since = retention.since()
      const domain = await requireDeletedDomain(trx, principal, String(id), canRestore, since)
      requirePaid(domain.ownerStatus ?? 0)
      await restoreDomainIn(trx, clock, domain, by)
      return id
    }
    case 'users':
      await restoreUserIn(trx, parts, principal, id, by)
      return id
    case 'rooms': {
      const room = await requireRoom(trx, principal, String(id), mayDelete, { isDeleted: true })
      await restoreRoomIn(trx, clock, room, by, { retention: retention.days })
      return id
    }
    case 'policies':
      throw new NotFound()
    default: {
      const wanted = { kind: directoryKindOf[kind], id: String(id), isDeleted: true }
      const object = await requireObject({ db: trx }, principal, wanted, canDelete)
      if (!mayBuy(object.ownerStatus)) throw new Forbidden(message('directory.degraded'))
      await restoreObjectIn(trx, clock, object, by, retention.days).catch((error: unknown) => {
        throw nameTaken(error)
      })
      return id
    }
  }
}
