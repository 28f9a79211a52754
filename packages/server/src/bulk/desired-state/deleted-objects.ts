import type { StateKind } from '@gatehouse/contract/directory/plans'
import { readDeletedUsers } from '../../account-lifecycle/deleted-user-store.ts'
import { restoreProblem } from '../../account-lifecycle/restore-user.ts'
import { readDomains } from '../../directory/domains/domain-store.ts'
import { readObjects } from '../../directory/objects/object-store.ts'
import { isRestorable } from '../../directory/objects/restore-object.ts'
import { readRoom } from '../../meetings/rooms/room-store.ts'
import type { Message } from '../../platform/http/errors.ts'
import type { ObjectType } from '../../subscriptions/entitlement-store.ts'
import { pricesOfReturn } from '../../subscriptions/restore-subscriptions.ts'
import { directoryKindOf } from './check-objects.ts'
import type { Planner, StateParts } from './desk.ts'
import type { Step } from './steps.ts'

/** A deleted object that can still be restored, unless there is a problem. */
export interface DeletedObject {
  readonly id: number
  readonly walletId: string
  readonly deletedAt: Date
  readonly problem?: Message | undefined
}

const types = {
  domains: 'domain',
  users: 'user',
  rooms: 'room',
  ...directoryKindOf,
} as const satisfies Record<Exclude<StateKind, 'policies'>, ObjectType>

// Object.keys loses the type of the keys, which are exactly the kinds
const kinds = Object.keys(types) as readonly (keyof typeof types)[]

/** Reads the deleted objects of a kind in the planner's account that can still be restored. */
export async function readDeleted(
  { db, clock, retention }: StateParts,
  { principal, account }: Pick<Planner, 'principal' | 'account'>,
  kind: StateKind,
  ids: readonly number[],
): Promise<DeletedObject[]> {
  if (kind === 'policies' || ids.length === 0) return []
  const since = retention.since()
  if (kind === 'users') {
    const users = await readDeletedUsers(db, ids, since)
    return ours(
      users.map((user) => ({ ...user, id: user.userId, problem: restoreProblem(principal, user)?.text })),
    )
  }
  if (kind === 'domains') return ours(await readDomains(db, ids))
  if (kind === 'rooms') {
    const rooms = await Promise.all(ids.map((id) => readRoom(db, id)))
    return ours(rooms.filter((room) => room !== undefined))
  }
  const objects = await readObjects(db, directoryKindOf[kind], ids)
  return ours(objects.filter((object) => isRestorable(object, clock, retention.days)))

  function ours(
    found: readonly {
      readonly id: number
      readonly walletId: string | null
      readonly deletedAt: Date | null
      readonly problem?: Message | undefined
    }[],
  ): DeletedObject[] {
    return found.flatMap(({ id, walletId, deletedAt, problem }) =>
      walletId === account.wallet.id && deletedAt !== null && deletedAt > since
        ? [{ id, walletId, deletedAt, problem }]
        : [],
    )
  }
}

/** Returns the cents per month of each unit that comes back with restored objects. */
export async function pricesOfRestored(
  parts: StateParts,
  planner: Pick<Planner, 'principal' | 'account'>,
  steps: readonly Step[],
): Promise<number[]> {
  const added: number[] = []
  for (const kind of kinds) {
    const ids = steps.flatMap(({ action, kind: own, id }) =>
      action === 'restore' && own === kind && id !== undefined ? [id] : [],
    )
    const deleted = await readDeleted(parts, planner, kind, ids)
    const prices = await pricesOfReturn(parts.db, types[kind], deleted)
    added.push(...[...prices.values()].flat())
  }
  return added
}
