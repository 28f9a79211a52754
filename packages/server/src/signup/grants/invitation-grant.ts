import type { RequestFacts } from '../../platform/http/call.ts'
import { NotFound, ValidationError } from '../../platform/http/errors.ts'
import { isUuid } from '../../platform/ids.ts'
import { systemTenant } from '../../platform/tenant.ts'
import type { Plan } from '../../subscriptions/plan-store.ts'
import { readTenant } from '../../tenants/tenant-store.ts'
import type { AccountInput, SignupParts } from '../parts.ts'
import type { Grant } from './grant.ts'
import {
  completeInvitation,
  findOpenInvitation,
  type Invitation,
  invitationBelongsTo,
} from './invitation-store.ts'
import { usableToken } from './token-grant.ts'
import { countToken } from './token-store.ts'

/**
 * Returns an invitation by id. The installation's own host accepts those of every tenant; a tenant's host
 * accepts only its own. Throws NotFound for one that is unknown, expired, completed or of a tenant not served
 * here.
 */
export async function openInvitation(parts: SignupParts, id: string): Promise<Invitation> {
  const { db, tenantId, clock } = parts
  const only = tenantId === systemTenant ? undefined : tenantId
  const found = isUuid(id) ? await findOpenInvitation(db, only, id, clock.now()) : undefined
  if (found === undefined) throw new NotFound()
  return found
}

/**
 * Sign-up for the requested host. A host verified by a tenant offers what that tenant sells, unless the
 * installation belongs to a single tenant.
 */
export async function partsAt(
  parts: SignupParts,
  request: Pick<RequestFacts, 'variant' | 'hostname'>,
): Promise<SignupParts> {
  return parts.tenantId === systemTenant ? partsIn(parts, await parts.tenantAt(request)) : parts
}

/** Sign-up for an invitation: with plans, domains, vouchers and currency of the inviting tenant. */
export async function partsOfInvited(
  parts: SignupParts,
  id: string | null | undefined,
): Promise<SignupParts> {
  return id == null ? parts : partsIn(parts, (await openInvitation(parts, id)).tenantId)
}

/** The same for a known tenant. */
export async function partsIn(parts: SignupParts, tenantId: number): Promise<SignupParts> {
  if (tenantId === parts.tenantId) return parts
  // a tenant's wallet earns from its customers' wallets, so they share one currency
  const tenant = await readTenant(parts.db, tenantId)
  return { ...parts, tenantId, currency: tenant?.currency ?? parts.currency }
}

/**
 * Grant by invitation, which replaces the proof of an address, but not a token if the plan requires one.
 * Throws NotFound and SignupTokenInvalid.
 */
export async function grantByInvitation(
  parts: SignupParts,
  plan: Plan,
  invitation: Invitation,
  input: Pick<AccountInput, 'token' | 'first_name' | 'last_name'>,
  ip: string,
): Promise<Grant> {
  const token = plan.mode === 'token' ? await shownToken(parts, plan, input.token, ip) : null
  return {
    plan,
    token,
    hasFirstStep: false,
    externalEmail: invitation.email,
    firstName: input.first_name ?? null,
    lastName: input.last_name ?? null,
    referral: null,
    async consume(trx) {
      const now = parts.clock.now()
      if (!(await completeInvitation(trx, invitation.id, now))) throw new NotFound()
      if (token !== null) await countToken(trx, parts.tenantId, token, now)
    },
    belongsTo: (trx, userId) => invitationBelongsTo(trx, invitation.id, userId),
  }
}

async function shownToken(
  parts: SignupParts,
  plan: Plan,
  token: string | null | undefined,
  ip: string,
): Promise<string> {
  if (token == null) throw ValidationError.at('token', 'validation.required')
  return usableToken(parts, plan, token, ip)
}
