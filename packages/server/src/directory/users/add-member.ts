import { canonicalAddress } from '@gatehouse/contract/canonical-address'
import type { newUserInput } from '@gatehouse/contract/directory/users'
import type { Language } from '@gatehouse/contract/language'
import { userStatus } from '@gatehouse/contract/status'
import type { z } from 'zod'
import { contextWords } from '../../passwords/context-words.ts'
import { type Actor, audit } from '../../platform/audit.ts'
import type { Db } from '../../platform/db/database.ts'
import type { Person } from '../../platform/http/callers/principal.ts'
import { Forbidden, type Message, message, ValidationError } from '../../platform/http/errors.ts'
import { type Errors, type Read, type Rules, together } from '../../platform/http/validation.ts'
import { provision } from '../../platform/provision/provision.ts'
import { requireWithinCeiling } from '../../subscriptions/ceiling.ts'
import { holdWallet } from '../../subscriptions/entitlement-store.ts'
import { assignPackage } from '../../subscriptions/entitlements.ts'
import { requirePaid } from '../../users/access.ts'
import { type AccountView, accountOf, ownedUser } from '../../users/account-view/account-view.ts'
import type { EmailAddress } from '../../users/addresses/email-address.ts'
import type { AddressAccount, AddressCheck } from '../../users/addresses/new-address.ts'
import { createUser } from '../../users/create-user.ts'
import { holdUser } from '../../users/member-store.ts'
import { canCreateUsers } from '../../users/policy.ts'
import type { PasswordPolicy } from '../../users/settings/password-policy.ts'
import {
  checkAliases,
  checkEmail,
  passwordErrors,
  personIn,
  profileErrors,
  profileSettings,
} from './user-input.ts'
import type { UserParts } from './user-parts.ts'

type Body = z.output<typeof newUserInput>

/** A validated user to be created. */
export interface Member {
  readonly body: Body
  readonly email: EmailAddress
  readonly aliases: readonly string[]
  readonly packageId: string
  /** Position of each alias in the input. */
  readonly places: ReadonlyMap<string, number>
  /** The link by which the user sets the password. Absent: a password was typed, or there is none yet. */
  readonly linkId: string | undefined
}

/** How a new user gets their first password. */
export interface FirstPassword extends Pick<Member, 'linkId'> {
  /** False: it is set by a link or a later change. */
  readonly isTyped: boolean
}

export const passwordLater: FirstPassword = { linkId: undefined, isTyped: false }

/** Dependencies of validating a new user apart from the input. */
export interface MemberRules {
  readonly policy: PasswordPolicy
  /** Names of the portal, which passwords must not be based on. */
  readonly products: readonly string[]
  /** Checked first. Throws if the input would give access to someone who may not have it. */
  readonly firstPassword: (...input: Parameters<Rules<Body, unknown>>) => Promise<FirstPassword>
  /** Errors found earlier. */
  readonly wrong?: Errors
  readonly packageProblem: (id: string | null | undefined) => Promise<Message | undefined>
  /** Absent: addresses are looked up individually. */
  readonly checkAddresses?: AddressCheck
}

/** The account of a new user and who creates the user, from which client. */
export interface MemberOrigin {
  readonly account: AddressAccount
  readonly walletId: string
  readonly currency: string
  readonly ownerStatus: number
  readonly language: Language
  readonly ip: string
  readonly actor: Actor
  /** Reason for the audit log. */
  readonly comment?: string
}

/** Throws Forbidden unless the caller may create users in the account of the view. */
export function requireCreator(person: Person, caller: AccountView): void {
  if (!canCreateUsers(person, ownedUser(caller))) throw new Forbidden()
  requirePaid(caller)
}

export function originOf(
  caller: AccountView,
  facts: Pick<MemberOrigin, 'language' | 'ip' | 'actor' | 'comment'>,
): MemberOrigin {
  const { id: walletId, currency } = caller.wallet
  return { account: accountOf(caller), walletId, currency, ownerStatus: caller.owner?.status ?? 0, ...facts }
}

/** Validates all fields; package errors come last, as in the reference. Throws ValidationError. */
export async function checkMember(
  db: Db,
  account: AddressAccount,
  read: Read<Body>,
  rules: MemberRules,
): Promise<Member> {
  const { checkAddresses } = rules
  const { body, found } = await read(async (fields, refused) => {
    const { linkId, isTyped } = await rules.firstPassword(fields, refused)
    const email = await checkEmail(db, account, fields.email, checkAddresses)
    const own = [canonicalAddress(fields.email ?? '')]
    const aliases = await checkAliases(db, account, fields.aliases, own, checkAddresses)
    const requirements = { policy: rules.policy, words: contextWords(personIn(fields), rules.products) }
    const errors = {
      ...rules.wrong,
      ...profileErrors(fields),
      ...(isTyped && passwordErrors(fields, requirements, true)),
    }
    return together(errors, { email, aliases, linkId: { value: linkId } })
  })
  const problem = await rules.packageProblem(body.package)
  if (problem !== undefined || body.package == null) {
    throw new ValidationError({ package: problem ?? message('subscriptions.package-required') })
  }
  const { email, linkId, aliases } = found
  const { added, places } = aliases
  return { body, email, aliases: added, packageId: body.package, places, linkId }
}

/** Creates a validated user in a transaction. Returns the id. Throws AddressTaken, Forbidden. */
export async function addMember(
  trx: Db,
  parts: Pick<UserParts, 'clock' | 'locator' | 'codes'>,
  origin: MemberOrigin,
  member: Member,
  passwordHash: string | null,
): Promise<number> {
  const { clock } = parts
  const { account, walletId, currency, actor } = origin
  const { tenantId } = account
  await holdWallet(trx, walletId)
  // the account may have been deleted since it was read
  if (!(await holdUser(trx, account.ownerId))) throw new Forbidden()
  const profile = profileSettings(member.body)
  const { id } = await createUser(trx, clock, {
    tenantId,
    email: member.email,
    passwordHash,
    status: userStatus.new | (origin.ownerStatus & userStatus.restricted),
    language: origin.language,
    currency,
    accountWalletId: walletId,
    aliases: member.aliases,
    settings: {
      ...profile,
      country: profile.country ?? parts.locator.country(origin.ip) ?? 'CH',
      currency: profile.currency ?? currency,
    },
  })
  await assignPackage(trx, clock, member.packageId, { type: 'user', id }, walletId)
  await requireWithinCeiling(trx, walletId, 'package', origin.language)
  if (member.linkId !== undefined) await parts.codes.give(trx, member.linkId, id)
  await audit(trx, clock, {
    tenantId,
    objectType: 'user',
    objectId: id,
    event: 'user.created',
    actor,
    ...(origin.comment !== undefined && { comment: origin.comment }),
    data: {
      after: { email: member.email.full, aliases: member.aliases, ...withoutNulls(profile) },
      package: member.packageId,
      password: member.linkId !== undefined ? 'link' : passwordHash === null ? 'none' : 'entered',
    },
  })
  await provision(trx, { kind: 'user', id })
  return id
}

function withoutNulls(profile: Readonly<Record<string, string | null>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(profile).flatMap(([key, value]) => (value === null ? [] : [[key, value]])),
  )
}
