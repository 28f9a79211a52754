import type { policyRoutes } from '@gatehouse/contract/policies'
import { type Actor, audit } from '../../platform/audit.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import type { ConfigContext } from '../../platform/http/call.ts'
import { Forbidden, NotFound } from '../../platform/http/errors.ts'
import type { FreshProof } from '../../platform/http/fresh-proof.ts'
import type { Locator } from '../../platform/location.ts'
import { type AccountView, ownedUser } from '../account-view/account-view.ts'
import { readAccountViewIn } from '../account-view/account-view-store.ts'
import { actorOf } from '../actor.ts'
import { holdUser, touchUser } from '../member-store.ts'
import { canConfigure, canSetPolicies, namesAccess } from '../policy.ts'
import { writeSettings } from '../setting-store.ts'
import { differences } from '../user-snapshot.ts'
import { checkConfig, type Entries, namesAccountPolicy, namesUserSetting } from './config-input.ts'
import type { PasswordPolicy } from './password-policy.ts'
import type { SecondFactorRules } from './second-factor-policy.ts'

type Context = ConfigContext<(typeof policyRoutes)['POST /api/v4/users/{id}/config']>

export interface ConfigParts {
  readonly db: Db
  readonly clock: Clock
  readonly locator: Locator
  readonly systemPolicy: PasswordPolicy
  readonly secondFactorRules: SecondFactorRules
  readonly stepUp: FreshProof
}

/**
 * Sets a user's configuration, and for the owner the account's policies as well: all keys sent, or none.
 * Returns the updated user. Throws Forbidden if the caller may not set one of the keys, and StepUpRequired for
 * keys that affect who can sign in.
 */
export async function changeConfig(
  parts: ConfigParts,
  view: AccountView,
  context: Context,
): Promise<AccountView> {
  const { found } = await context.read(async (entries) => {
    requireRights(view, context, entries)
    if (namesAccess(entries)) await parts.stepUp.requireFresh(context.principal)
    const isSelf = view.user.id === context.principal.userId
    return checkConfig(entries, {
      system: parts.systemPolicy,
      isOwner: view.owner?.id === view.user.id,
      isFactorRequired: parts.secondFactorRules.everybody === 'required',
      ownCountry: isSelf ? { code: parts.locator.country(context.ip) } : undefined,
    })
  })
  const by = { actor: actorOf(context.principal, context) }
  return parts.db.transaction().execute((trx) => writeConfig(trx, parts, view, by, found))
}

/** Permission to set the account's policies doesn't include the owner's other settings. */
function requireRights(view: AccountView, context: Context, entries: Entries): void {
  const owned = ownedUser(view)
  if (canConfigure(context.principal, owned)) return
  if (!canSetPolicies(context.principal, owned) || namesUserSetting(entries)) throw new Forbidden()
}

/** Writes checked settings of a user and records the change. Returns the updated user. Throws NotFound. */
export async function writeConfig(
  trx: Db,
  parts: Pick<ConfigParts, 'clock'>,
  view: AccountView,
  by: { readonly actor: Actor; readonly comment?: string },
  settings: Readonly<Record<string, string | null>>,
): Promise<AccountView> {
  const { id, tenantId } = view.user
  if (!(await holdUser(trx, id))) throw new NotFound()
  const before = await viewNow(trx, id)
  await writeSettings(trx, id, settings)
  const after = await viewNow(trx, id)
  const data = differences(before.config, after.config)
  if (data === undefined) return after
  await touchUser(trx, parts.clock, id)
  await audit(trx, parts.clock, {
    tenantId,
    objectType: 'user',
    objectId: id,
    event: namesAccountPolicy(data.after) ? 'user.policies-set' : 'user.configured',
    ...by,
    data,
  })
  return after
}

async function viewNow(trx: Db, id: number): Promise<AccountView> {
  const view = await readAccountViewIn(trx, id)
  if (view === undefined) throw new NotFound()
  return view
}
