import type { BillingConfig } from '../billing/billing-settings.ts'
import type { Ground } from '../platform/ground.ts'
import type { Identity, IdentityConfig } from '../sessions/plugin.ts'
import { serveScim } from './routes.ts'

/** Lets directories of customers manage users and distribution lists with SCIM. */
export function addScim(ground: Ground<IdentityConfig & BillingConfig>, identity: Identity): void {
  serveScim(ground.fastify, ground.api, { ...ground, ...identity })
}
