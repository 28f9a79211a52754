import type { Principal } from '../platform/http/callers/principal.ts'
import type { OwnedObject } from '../users/policy.ts'

/** Events of an account leave the portal with its webhooks, so that only the owner sees and changes them. */
export function canManageWebhooks(principal: Pick<Principal, 'userId'>, account: OwnedObject): boolean {
  return account.ownerId === principal.userId
}
