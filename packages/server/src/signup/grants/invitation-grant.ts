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
 * The invitation of that id. The installation's own host takes those of every tenant; one that is a single tenant's takes
 * that one's only. Throws NotFound for one that is unknown, expired, completed or of a tenant that is not served here.
 */
export async function openInvitation(parts: SignupParts, id: string): Promise<Invitation> {
  const { db, tenantId, clock } = parts
  const only = tenantId === systemTenant ? undefined : tenantId
  const found = isUuid(id) ? await findOpenInvitation(db, only, id, clock.now()) : undefined
  if (found === undefined) throw new NotFound()
  return found
}

/**
 * Sign-up as it is on the host that was asked. A host that a tenant proved to have offers what that tenant sells, in an
 * installation that is not one tenant's anyway.
 */
export async function partsAt(
  parts: SignupParts,
  request: Pick<RequestFacts, 'variant' | 'hostname'>,
): Promise<SignupParts> {
  return parts.tenantId === systemTenant ? partsIn(parts, await parts.tenantAt(request)) : parts
}

/** Sign-up as it is for whom that invitation asks: with plans, domains, vouchers and money of the inviting tenant. */
export async function partsOfInvited(
  parts: SignupParts,
  id: string | null | undefined,
): Promise<SignupParts> {
  return id == null ? parts : partsIn(parts, (await openInvitation(parts, id)).tenantId)
}

/** The same, once the tenant is known. */
export async function partsIn(parts: SignupParts, tenantId: number): Promise<SignupParts> {
  if (tenantId === parts.tenantId) return parts
  // the wallet of a tenant earns from those of its customers, so they have one currency
  const tenant = await readTenant(parts.db, tenantId)
  return { ...parts, tenantId, currency: tenant?.currency ?? parts.currency }
}

/**
 * By an invitation, which replaces the proof of an address. It does not replace a token, where the plan needs one.
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
