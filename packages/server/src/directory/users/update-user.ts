import type { userRoutes, userUpdate } from '@gatehouse/contract/directory/users'
import { isLanguage } from '@gatehouse/contract/language'
import type { z } from 'zod'
import type { HashFor } from '../../passwords/hasher.ts'
import { isReused, requirementsOfUser } from '../../passwords/new-password.ts'
import type { PasswordRequirements } from '../../passwords/requirements.ts'
import { audit } from '../../platform/audit.ts'
import type { Db } from '../../platform/db/database.ts'
import type { LateContext } from '../../platform/http/call.ts'
import { BorrowedRefused, Conflict, Forbidden, message, NotFound } from '../../platform/http/errors.ts'
import type { FreshProof } from '../../platform/http/fresh-proof.ts'
import { borrowedCaller } from '../../platform/http/policy.ts'
import { type Accepted, type Checked, type Errors, together, unless } from '../../platform/http/validation.ts'
import { passwordChangedJob } from '../../sessions/password-reset/reset-mail.ts'
import { setPassword } from '../../sessions/password-reset/set-password.ts'
import {
  changeSubscriptions,
  subscriptionErrors,
  type WantedSubscriptions,
} from '../../subscriptions/change-subscriptions.ts'
import { holdWallet } from '../../subscriptions/entitlement-store.ts'
import { subscriptionRights } from '../../subscriptions/policy.ts'
import {
  type AccountView,
  accountOf,
  accountStatus,
  ownedUser,
} from '../../users/account-view/account-view.ts'
import { editRevision } from '../../users/account-view/present-detail.ts'
import { actorOf } from '../../users/actor.ts'
import { changeAliases } from '../../users/addresses/address-store.ts'
import { AddressTaken } from '../../users/create-user.ts'
import { holdUser } from '../../users/member-store.ts'
import { canEditAliases, canEditSubscriptions, namesAccess } from '../../users/policy.ts'
import { writeSettings } from '../../users/setting-store.ts'
import type { PasswordPolicy } from '../../users/settings/password-policy.ts'
import { forgetAddresses } from '../departures.ts'
import { linkOf, takenError } from './create-member.ts'
import { recordChange } from './record-change.ts'
import {
  type CheckedAliases,
  checkAliases,
  passwordErrors,
  personIn,
  profileErrors,
  profileSettings,
} from './user-input.ts'
import type { UserParts } from './user-parts.ts'

type Context = LateContext<(typeof userRoutes)['PUT /api/v4/users/{id}']>

interface Change {
  readonly body: z.output<typeof userUpdate>
  readonly aliases: CheckedAliases
  readonly policy: PasswordPolicy
  readonly linkId: string | undefined
  readonly skus: WantedSubscriptions | undefined
}

/**
 * Changes a user whom the caller may update; reference api-objects §6.3. Absent keys are unchanged. Returns
 * the new revision. Throws StepUpRequired if the change affects how the user signs in, and Conflict if it is
 * based on a stale revision.
 */
export async function updateUser(
  parts: UserParts & FreshParts,
  view: AccountView,
  context: Context,
): Promise<string> {
  const { body, found } = await context.read(async (fields, refused) => {
    requireRights(view, context, fields, refused)
    if (changesEntry(view, fields, refused)) await parts.stepUp.requireFresh(context.principal)
    return checkChange(parts, view, context, fields)
  })
  const change = { ...found, body }
  const { password } = change.body
  const passwordHash = password == null ? undefined : await parts.hasher.hash(password, context)
  return parts.db
    .transaction()
    .execute((trx) => writeChange(trx, parts, view, context, change, passwordHash))
    .catch((error: unknown) => {
      throw error instanceof AddressTaken ? takenError(error.address, change.aliases.places) : error
    })
}

/** Dependencies for requiring re-authentication. */
export interface FreshParts {
  readonly stepUp: FreshProof
}

type Fields = Accepted<z.output<typeof userUpdate>>

/** Whether the password, a link to set it, or the recovery address changes. */
function changesEntry(view: AccountView, fields: Fields, refused: ReadonlySet<string>): boolean {
  const address = view.settings.external_email ?? null
  const { password, passwordLinkCode, external_email: sent } = fields
  const isOther = sent !== undefined && sent !== address
  const entry = ['password', 'passwordLinkCode', 'external_email']
  return password != null || passwordLinkCode != null || isOther || entry.some((key) => refused.has(key))
}

/** Users who may only edit the profile can't change aliases and subscriptions. */
function requireRights(
  view: AccountView,
  { principal }: Context,
  fields: Fields,
  refused: ReadonlySet<string>,
): void {
  const borrowed = borrowedCaller(principal)
  if (namesAccess(fields, refused) && borrowed !== undefined) throw new BorrowedRefused(borrowed)
  const owned = ownedUser(view)
  const isSent = (key: 'aliases' | 'skus') => fields[key] != null || refused.has(key)
  if (isSent('aliases') && !canEditAliases(principal, owned)) throw new Forbidden()
  // if subscriptions can't be changed at all, it is a field error
  if (isSent('skus') && !canEditSubscriptions(principal, owned, true)) throw new Forbidden()
}

async function checkChange(
  parts: UserParts,
  view: AccountView,
  context: Context,
  fields: Fields,
): Promise<Checked<Omit<Change, 'body'>>> {
  const { db } = parts
  const { user } = view
  const isSelf = user.id === context.principal.userId
  const requirements = await requirementsOfUser(db, parts, user.id, personIn(fields))
  // a link is for someone who can't sign in, so users can't create one for themselves
  const linkId = isSelf ? undefined : await linkOf(parts, fields.passwordLinkCode, context.principal.userId)
  const kept = [user.email, ...view.aliases]
  const aliases = await checkAliases(db, accountOf(view), fields.aliases, kept)
  const skus = fields.skus == null ? undefined : wantedSubscriptions(parts, view, context, fields.skus)
  const skuErrors = skus && (await subscriptionErrors(db, skus))
  const errors = {
    ...profileErrors(fields),
    ...(await newPasswordErrors(parts, requirements, user.id, fields, context)),
  }
  return together(errors, {
    aliases,
    skus: unless(skuErrors === undefined ? {} : { skus: skuErrors }, skus),
    policy: { value: requirements.policy },
    linkId: { value: linkId },
  })
}

/** Returns errors of a new password, including reuse of previous ones. */
async function newPasswordErrors(
  parts: UserParts,
  requirements: PasswordRequirements,
  userId: number,
  fields: Fields,
  whom: HashFor,
): Promise<Errors> {
  const errors = passwordErrors(fields, requirements, false)
  const { password } = fields
  if (errors.password !== undefined || password == null) return errors
  if (!(await isReused(parts.db, parts.hasher, requirements.policy, userId, password, whom))) return {}
  return { password: [message('validation.password-policy-error')] }
}

function wantedSubscriptions(
  parts: UserParts,
  view: AccountView,
  context: Context,
  wanted: WantedSubscriptions['wanted'],
): WantedSubscriptions {
  return {
    object: { type: 'user', id: view.user.id },
    tenantId: view.user.tenantId,
    wanted,
    actor: subscriptionRights(context.principal, ownedUser(view), accountStatus(view)),
    language: context.language,
    isOffered: parts.config.APP_WITH_SUBSCRIPTIONS,
  }
}

async function writeChange(
  trx: Db,
  parts: UserParts,
  view: AccountView,
  context: Context,
  change: Change,
  passwordHash: string | undefined,
): Promise<string> {
  const { clock } = parts
  const { id, tenantId } = view.user
  const walletId = view.wallet.id
  // so that lists of the account don't add an alias that is being given up
  if (change.skus !== undefined || change.body.aliases != null) await holdWallet(trx, walletId)
  if (!(await holdUser(trx, id))) throw new NotFound()
  const actor = actorOf(context.principal, context)
  const after = await recordChange(trx, clock, id, actor, async (before) => {
    if (change.body.revision != null && change.body.revision !== editRevision(before)) {
      throw new Conflict(message('users.changed-meanwhile'))
    }
    const aliases = aliasChange(before, change)
    await writeSettings(trx, id, profileSettings(change.body))
    await forgetAddresses(trx, clock, { walletId, tenantId, addresses: aliases.removed }, actor)
    await changeAliases(trx, { id, tenantId, kind: 'alias' }, aliases)
    if (change.skus !== undefined) await changeSubscriptions(trx, clock, { ...change.skus, walletId })
    if (passwordHash !== undefined) await writePassword(trx, parts, view, context, change, passwordHash)
    if (change.linkId !== undefined) await giveLink(trx, parts, view, context, change.linkId)
  })
  return editRevision(after)
}

/** Returns the aliases to remove and to add; none if absent from the request. */
function aliasChange(before: AccountView, change: Change): { removed: string[]; added: string[] } {
  if (change.body.aliases == null) return { removed: [], added: [] }
  const wanted = new Set([...change.aliases.kept, ...change.aliases.added])
  return {
    removed: before.aliases.filter((alias) => !wanted.has(alias)),
    added: change.aliases.added.filter((alias) => !before.aliases.includes(alias)),
  }
}

/** Sets the password, ends the user's other sessions and notifies the user by e-mail. */
async function writePassword(
  trx: Db,
  parts: UserParts,
  view: AccountView,
  context: Context,
  change: Change,
  passwordHash: string,
): Promise<void> {
  const { principal, ip } = context
  const userId = view.user.id
  await setPassword(trx, parts.clock, parts.tokens, {
    userId,
    passwordHash,
    policy: change.policy,
    actor: actorOf(principal, context),
    ...(principal.userId === userId && { keepSession: principal.sessionId }),
  })
  const language = isLanguage(view.user.language) ? view.user.language : context.language
  await parts.jobs.enqueue(trx, passwordChangedJob, { userId, ip, at: parts.clock.now(), language })
}

async function giveLink(
  trx: Db,
  parts: UserParts,
  view: AccountView,
  context: Context,
  linkId: string,
): Promise<void> {
  const { id, tenantId } = view.user
  await parts.codes.give(trx, linkId, id)
  const actor = actorOf(context.principal, context)
  await audit(trx, parts.clock, {
    tenantId,
    objectType: 'user',
    objectId: id,
    event: 'password.link-given',
    actor,
  })
}
