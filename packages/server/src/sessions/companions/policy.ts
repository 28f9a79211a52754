import type { Principal } from '../../platform/http/callers/principal.ts'
import { Forbidden, NotFound } from '../../platform/http/errors.ts'
import type { Companion } from './companion-store.ts'

/** Something that belongs to one user. */
interface Owned {
  readonly userId: number
  readonly tenantId: number
}

/**
 * Devices and sign-ins are their own user's only, also where somebody else owns the account. Throws NotFound for
 * what there is not or another tenant has, Forbidden for what is somebody else's.
 */
export function requireOwn<T extends Owned>(principal: Principal, found: T | undefined): T {
  if (found === undefined || found.tenantId !== principal.tenantId) throw new NotFound()
  if (found.userId !== principal.userId) throw new Forbidden()
  return found
}

/** A sign-in is let in by a paired device of the same user. */
export function isConfirmer(principal: Principal, device: Companion | undefined): boolean {
  return device?.mfaEnabled === true && device.userId === principal.userId
}
