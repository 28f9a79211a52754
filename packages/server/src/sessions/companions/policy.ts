import type { Principal } from '../../platform/http/callers/principal.ts'
import { Forbidden, NotFound } from '../../platform/http/errors.ts'
import type { Companion } from './companion-store.ts'

/** An object owned by one user. */
interface Owned {
  readonly userId: number
  readonly tenantId: number
}

/**
 * Restricts devices and sign-ins to their own user, even if another user owns the account. Throws NotFound for
 * unknown ones and those of other tenants, Forbidden for those of other users.
 */
export function requireOwn<T extends Owned>(principal: Principal, found: T | undefined): T {
  if (found === undefined || found.tenantId !== principal.tenantId) throw new NotFound()
  if (found.userId !== principal.userId) throw new Forbidden()
  return found
}

/** Whether a paired device of the same user may approve the sign-in. */
export function isConfirmer(principal: Principal, device: Companion | undefined): boolean {
  return device?.mfaEnabled === true && device.userId === principal.userId
}
