import type { userRoutes } from '@gatehouse/contract/directory/users'
import { policyOfUser, productNames } from '../../passwords/new-password.ts'
import type { LateContext } from '../../platform/http/call.ts'
import { message, ValidationError } from '../../platform/http/errors.ts'
import { packageError } from '../../subscriptions/packages.ts'
import type { AccountView } from '../../users/account-view/account-view.ts'
import { accountOf } from '../../users/account-view/account-view.ts'
import { actorOf } from '../../users/actor.ts'
import { AddressTaken } from '../../users/create-user.ts'
import { givesAccess, mayChangeAccess } from '../../users/policy.ts'
import { addMember, checkMember, type Member, originOf, requireCreator } from './add-member.ts'
import type { FreshParts } from './update-user.ts'
import type { UserParts } from './user-parts.ts'

type Context = LateContext<(typeof userRoutes)['POST /api/v4/users']>

/**
 * Creates a user in the account that the caller belongs to and controls, all or nothing; reference api-objects
 * §6.2. Borrowed sessions create users who can't sign in yet. Returns the id of the user. Throws
 * StepUpRequired.
 */
export async function createMember(
  parts: UserParts & FreshParts,
  caller: AccountView,
  context: Context,
): Promise<number> {
  const { principal, language, ip } = context
  requireCreator(principal, caller)
  const member = await readMember(parts, caller, context)
  const { password } = member.body
  const passwordHash =
    member.linkId === undefined && password != null ? await parts.hasher.hash(password, { ip }) : null
  const origin = originOf(caller, { language, ip, actor: actorOf(principal, context) })
  return parts.db
    .transaction()
    .execute((trx) => addMember(trx, parts, origin, member, passwordHash))
    .catch((error: unknown) => {
      throw error instanceof AddressTaken ? takenError(error.address, member.places) : error
    })
}

async function readMember(
  parts: UserParts & FreshParts,
  caller: AccountView,
  { principal, read }: Context,
): Promise<Member> {
  const { db } = parts
  const account = accountOf(caller)
  return checkMember(db, account, read, {
    policy: await policyOfUser(db, parts.systemPolicy, caller.user.id),
    products: await productNames(db, parts.config, account.tenantId),
    firstPassword: async (fields, refused) => {
      if (givesAccess(fields, refused)) await parts.stepUp.requireFresh(principal)
      const linkId = await linkOf(parts, fields.passwordLinkCode, principal.userId)
      return { linkId, isTyped: linkId === undefined && mayChangeAccess(principal) }
    },
    packageProblem: (id) => packageError(db, account.tenantId, id, 'user'),
  })
}

/** Returns the unassigned link named by the caller; any other text is ignored. */
export async function linkOf(
  parts: Pick<UserParts, 'codes'>,
  text: string | null | undefined,
  callerId: number,
): Promise<string | undefined> {
  return text != null ? parts.codes.findUngiven(text, callerId) : undefined
}

/** Returns the field error for an address that was claimed concurrently. */
export function takenError(address: string, places: ReadonlyMap<string, number>): ValidationError {
  const index = places.get(address)
  const text = message('validation.entryexists')
  return new ValidationError(index === undefined ? { email: text } : { aliases: new Map([[index, text]]) })
}
