import type { staffCreationRoutes } from '@gatehouse/contract/staff/staff-creation'
import { addMember, checkMember, originOf, passwordLater } from '../../directory/users/add-member.ts'
import { takenError } from '../../directory/users/create-member.ts'
import { policyOfUser, productNames, systemPolicy } from '../../passwords/new-password.ts'
import { day } from '../../platform/clock.ts'
import type { LateContext } from '../../platform/http/call.ts'
import type { Locator } from '../../platform/location.ts'
import { packageError } from '../../subscriptions/packages.ts'
import type { AccountView } from '../../users/account-view/account-view.ts'
import { accountOf } from '../../users/account-view/account-view.ts'
import { actorOf } from '../../users/actor.ts'
import { AddressTaken } from '../../users/create-user.ts'
import type { StaffParts } from '../staff-parts.ts'
import { firstPasswordDays, firstPasswordJob } from './first-password-mail.ts'

type Context = LateContext<(typeof staffCreationRoutes)['POST /api/v4/accounts/{id}/users']>

export interface CreateUserParts extends Pick<StaffParts, 'config' | 'db' | 'clock' | 'codes' | 'jobs'> {
  readonly locator: Locator
}

/**
 * Creates a user in a customer's account. The link for the first password belongs to the owner: it is mailed
 * to the owner and shown only to the owner on the user's page. Returns the id. Throws ValidationError,
 * Forbidden.
 */
export async function createCustomerUser(
  parts: CreateUserParts,
  account: AccountView,
  context: Context,
): Promise<number> {
  const { db, config, codes } = parts
  const { tenantId, ownerId } = accountOf(account)
  const checked = await checkMember(db, { tenantId, ownerId }, context.read, {
    policy: await policyOfUser(db, systemPolicy(config), ownerId),
    products: await productNames(db, config, tenantId),
    firstPassword: async () => passwordLater,
    packageProblem: (id) => packageError(db, tenantId, id, 'user'),
  })
  const { language, ip } = context
  const comment = context.read().reason
  // the location of staff says nothing about the user's country
  const body = { ...checked.body, country: account.settings.country ?? null }
  const origin = originOf(account, { language, ip, actor: actorOf(context.principal, { ip }), comment })
  return db
    .transaction()
    .execute(async (trx) => {
      const { id: linkId } = await codes.makeLink(trx, ownerId, firstPasswordDays * day)
      const userId = await addMember(trx, parts, origin, { ...checked, body, linkId }, null)
      await parts.jobs.enqueue(trx, firstPasswordJob, { linkId, userId, ownerId })
      return userId
    })
    .catch((error: unknown) => {
      throw error instanceof AddressTaken ? takenError(error.address, checked.places) : error
    })
}
