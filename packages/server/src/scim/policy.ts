import type { Principal } from '../platform/http/callers/principal.ts'
import { isController, type OwnedObject } from '../users/policy.ts'

/** Directories use an API key of the account, or of somebody who controls it. */
export function canSynchronise(principal: Principal, account: OwnedObject): boolean {
  return principal.apiKey !== undefined && isController(principal.userId, account)
}

/** A directory deletes users, but not the owner, with whom the account would end, nor itself. */
export function canRemove(principal: Principal, user: OwnedObject): boolean {
  return user.userId !== user.ownerId && user.userId !== principal.userId
}
