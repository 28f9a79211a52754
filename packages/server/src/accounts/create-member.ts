import { hasBit, userStatus } from '@gatehouse/contract/status'
import type { newUserInput, userRoutes } from '@gatehouse/contract/users'
import type { z } from 'zod'
import { provision } from '../groupware/provision.ts'
import { policyOfUser } from '../passwords/new-password.ts'
import { audit } from '../platform/audit.ts'
import type { Db } from '../platform/db/database.ts'
import type { LateContext } from '../platform/http/api.ts'
import { Forbidden, message, ValidationError } from '../platform/http/errors.ts'
import { holdWallet } from '../subscriptions/entitlement-store.ts'
import { assignPackage } from '../subscriptions/entitlements.ts'
import { packageError } from '../subscriptions/packages.ts'
import { type AccountView, ownedUser } from './account-view.ts'
import { AddressTaken, createUser } from './create-user.ts'
import type { EmailAddress } from './email-address.ts'
import { holdUser } from './member-store.ts'
import { canonicalAddress } from './new-address.ts'
import { canCreateUsers } from './policy.ts'
import {
  asText,
  checkAliases,
  checkEmail,
  passwordErrors,
  profileErrors,
  profileSettings,
} from './user-input.ts'
import { actorOf, type UserParts } from './user-parts.ts'

type Context = LateContext<(typeof userRoutes)['POST /api/v4/users']>

interface Member {
  readonly body: z.output<typeof newUserInput>
  readonly email: EmailAddress
  readonly aliases: readonly string[]
  readonly packageId: string
  /** Place of each alias in the input. */
  readonly places: ReadonlyMap<string, number>
  /** The link with which the person sets the password; absent: one was typed. */
  readonly linkId: string | undefined
}

/**
 * Creates a user in the account that the caller belongs to and controls; reference api-objects §6.2. Either all
 * of it exists afterwards or nothing. Returns the number of the user.
 */
export async function createMember(parts: UserParts, caller: AccountView, context: Context): Promise<number> {
  if (!canCreateUsers(context.principal, ownedUser(caller))) throw new Forbidden()
  requirePaid(caller)
  const member = await readMember(parts, caller, context)
  const { body } = member
  const passwordHash = member.linkId === undefined ? await parts.hasher.hash(body.password ?? '') : null
  return parts.db
    .transaction()
    .execute((trx) => writeMember(trx, parts, caller, context, member, passwordHash))
    .catch((error: unknown) => {
      throw error instanceof AddressTaken ? takenError(error.address, member.places) : error
    })
}

/** An account that has to pay first gets nobody new. */
function requirePaid(caller: AccountView): void {
  const bits = (caller.owner?.status ?? 0) | caller.user.status
  if (hasBit(bits, userStatus.degraded)) throw new Forbidden(message('users.degraded'))
}

/** Checks everything at once; errors of the package come last, as in the reference. */
async function readMember(parts: UserParts, caller: AccountView, context: Context): Promise<Member> {
  const { db } = parts
  const input = context.input()
  const account = accountOf(caller)
  const policy = await policyOfUser(db, parts.systemPolicy, caller.user.id)
  const linkId = await linkOf(parts, input.passwordLinkCode, context.principal.userId)
  const email = await checkEmail(db, account, input.email)
  const aliases = await checkAliases(db, account, input.aliases, [
    canonicalAddress(asText(input.email) ?? ''),
  ])
  const body = context.read({
    ...profileErrors(input),
    ...(linkId === undefined && passwordErrors(input, policy, true)),
    ...email.errors,
    ...aliases.errors,
  })
  const problem = await packageError(db, account.tenantId, body.package, 'user')
  if (problem !== undefined) throw new ValidationError({ package: problem })
  if (email.email === undefined || body.package == null) throw new RangeError('both were checked')
  const { added, places } = aliases
  return { body, email: email.email, aliases: added, packageId: body.package, places, linkId }
}

async function writeMember(
  trx: Db,
  parts: UserParts,
  caller: AccountView,
  context: Context,
  member: Member,
  passwordHash: string | null,
): Promise<number> {
  const { clock } = parts
  const { id: walletId, currency } = caller.wallet
  await holdWallet(trx, walletId)
  // the account may have been deleted since it was looked at
  if (!(await holdUser(trx, accountOf(caller).ownerId))) throw new Forbidden()
  const { tenantId } = caller.user
  const profile = profileSettings(member.body)
  const { id } = await createUser(trx, clock, {
    tenantId,
    email: member.email,
    passwordHash,
    status: userStatus.new | ((caller.owner?.status ?? 0) & userStatus.restricted),
    language: context.language,
    currency,
    accountWalletId: walletId,
    aliases: member.aliases,
    settings: {
      ...profile,
      country: profile.country ?? parts.locator.country(context.ip) ?? 'CH',
      currency: profile.currency ?? currency,
    },
  })
  await assignPackage(trx, clock, member.packageId, { type: 'user', id }, walletId)
  if (member.linkId !== undefined) await parts.codes.give(trx, member.linkId, id)
  await audit(trx, clock, {
    tenantId,
    objectType: 'user',
    objectId: id,
    event: 'user.created',
    actor: actorOf(context.principal, context),
    data: {
      after: { email: member.email.full, aliases: member.aliases, ...withoutNulls(profile) },
      package: member.packageId,
      password: member.linkId === undefined ? 'entered' : 'link',
    },
  })
  await provision(trx, { kind: 'user', id })
  return id
}

/** The account of a user, as the rules of addresses see it. */
export function accountOf(view: AccountView): { tenantId: number; ownerId: number } {
  return { tenantId: view.user.tenantId, ownerId: view.owner?.id ?? view.user.id }
}

/** The ungiven link that the caller names; any other text is ignored. */
export async function linkOf(
  parts: Pick<UserParts, 'codes'>,
  text: unknown,
  callerId: number,
): Promise<string | undefined> {
  return typeof text === 'string' && text.length <= 128 ? parts.codes.findUngiven(text, callerId) : undefined
}

/** The error at the field of an address that somebody else took a moment earlier. */
export function takenError(address: string, places: ReadonlyMap<string, number>): ValidationError {
  const index = places.get(address)
  const text = message('validation.entryexists')
  return new ValidationError(index === undefined ? { email: text } : { aliases: new Map([[index, text]]) })
}

function withoutNulls(profile: Readonly<Record<string, string | null>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(profile).flatMap(([key, value]) => (value === null ? [] : [[key, value]])),
  )
}
