import type { Principal } from '../../platform/http/callers/principal.ts'
import { isController, type OwnedObject } from '../../users/policy.ts'

/**
 * Keys of an account have its owner's rights, so that only the owner may create, change and rotate them: an
 * additional owner would get rights over the owner.
 */
export function canMakeAccountKeys(principal: Pick<Principal, 'userId'>, account: OwnedObject): boolean {
  return account.ownerId === principal.userId
}

/** All controllers of an account see its keys and can revoke them. */
export function canRevokeAccountKeys(principal: Pick<Principal, 'userId'>, account: OwnedObject): boolean {
  return isController(principal.userId, account)
}
