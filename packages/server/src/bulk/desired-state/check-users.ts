import { newUserInput } from '@gatehouse/contract/directory/users'
import { checkAliases, profileErrors } from '../../directory/users/user-input.ts'
import type { Role } from '../../platform/http/callers/principal.ts'
import { message } from '../../platform/http/errors.ts'
import { errorsIn } from '../../platform/http/validation.ts'
import { planSubscriptions, unitsBySku } from '../../subscriptions/change-subscriptions.ts'
import { readUnits, type Unit } from '../../subscriptions/entitlement-store.ts'
import { subscriptionRights } from '../../subscriptions/policy.ts'
import { monthlyCost } from '../../subscriptions/prices/pricing.ts'
import { readSkus } from '../../subscriptions/sku-store.ts'
import { accountOf, accountStatus, ownedUser } from '../../users/account-view/account-view.ts'
import { checkBeforehand } from '../../users/addresses/new-address.ts'
import { canConfigure, canDelete, canEditAliases, canUpdate, type OwnedObject } from '../../users/policy.ts'
import { checkConfig } from '../../users/settings/config-input.ts'
import { tryRows } from '../import/import-users.ts'
import { canDeleteAmongMany } from '../policy.ts'
import { type Desk, groupIn, textIn, textsIn } from './desk.ts'
import type { Step } from './steps.ts'
import { packageIds, wantedUnits } from './user-subscriptions.ts'

/** Users checked at once. */
const atOnce = 500

/** Checks the steps about users with the rules of the single calls, and adds their prices. */
export async function checkUsers(desk: Desk): Promise<void> {
  const steps = desk.steps.filter(({ kind }) => kind === 'users')
  refuseSharedAddresses(desk, steps)
  const created = steps.filter(({ action }) => action === 'create')
  for (let first = 0; first < created.length; first += atOnce) {
    await checkCreations(desk, created.slice(first, first + atOnce))
  }
  await checkChanges(
    desk,
    steps.filter(({ action }) => action === 'change'),
  )
  await checkDeletions(
    desk,
    steps.filter(({ action }) => action === 'delete'),
  )
}

/** An address can be claimed once. */
function refuseSharedAddresses({ problems }: Desk, steps: readonly Step[]): void {
  const seen = new Map<string, string>()
  for (const { action, path, before, after } of steps) {
    if (action !== 'create' && action !== 'change') continue
    const had = textsIn(before, 'aliases') ?? []
    const email = action === 'create' ? [textIn(after, 'email') ?? ''] : []
    for (const address of [...email, ...(textsIn(after, 'aliases') ?? [])]) {
      if (had.includes(address)) continue
      const first = seen.get(address)
      if (first === undefined) seen.set(address, path)
      else problems.add(path, message('desired-state.address-twice', { address, path: first }))
    }
  }
}

/** The values of a new user in the form of an import's row. */
export function rowOf({ after }: Step): Record<string, unknown> {
  const { settings: _settings, quota, aliases, ...values } = after ?? {}
  return {
    ...values,
    aliases: aliases ?? [],
    quota: typeof quota === 'number' ? String(quota) : null,
  }
}

async function checkCreations(desk: Desk, steps: readonly Step[]): Promise<void> {
  const { parts, principal, account, language, problems } = desk
  const order = { walletId: account.wallet.id, language, params: {} }
  const rows = steps.map((step) => ({ input: rowOf(step) }))
  const newDomains = desk.steps.filter(({ kind, action }) => kind === 'domains' && action === 'create')
  const names = new Set(newDomains.map(({ label }) => label))
  for (const [index, { messages, costs }] of (await tryRows(parts, principal, order, rows)).entries()) {
    const step = steps[index]
    if (step === undefined) continue
    const domain = step.label.slice(step.label.lastIndexOf('@') + 1)
    // a domain has to be confirmed before it can have users
    if (names.has(domain)) problems.add(`${step.path}.email`, message('users.domain-unconfirmed'))
    else problems.addMessages(step.path, messages)
    desk.added.push(...costs)
    checkSettings(desk, step, false)
  }
}

function ownedOf({ account }: Desk, id: number, role: string | null | undefined): OwnedObject {
  const roles: readonly (Role | null)[] = ['admin', 'reseller', 'service']
  const known = roles.find((one) => one === role) ?? null
  return { ...ownedUser(account), userId: id, role: known }
}

async function checkChanges(desk: Desk, steps: readonly Step[]): Promise<void> {
  if (steps.length === 0) return
  const { parts, principal, account, problems, state } = desk
  const { db } = parts
  const { tenantId } = account.user
  const roles = new Map(state.users.map(({ id, role }) => [id, role]))
  const claimed = steps.flatMap(({ after }) => textsIn(after, 'aliases') ?? [])
  const check = await checkBeforehand(db, accountOf(account), claimed)
  const catalogue = { ids: await packageIds(db, tenantId), skus: await readSkus(db, tenantId) }
  const paying = steps.filter(({ after }) => after?.package !== undefined || after?.quota !== undefined)
  const units = unitsByUser(
    await readUnits(
      db,
      'user',
      paying.flatMap(({ id }) => (id === undefined ? [] : [id])),
    ),
  )
  for (const step of steps) {
    const { path, id = 0, after, before } = step
    const owned = ownedOf(desk, id, roles.get(id))
    const mayNot = message('bulk.not-allowed')
    if (!canUpdate(principal, owned)) problems.add(path, mayNot)
    const {
      settings: _settings,
      aliases: _aliases,
      package: _package,
      quota: _quota,
      ...profile
    } = after ?? {}
    problems.addFields(path, profileErrors(newUserInput.partial().parse(profile)))
    const aliases = textsIn(after, 'aliases')
    if (aliases !== undefined) {
      if (!canEditAliases(principal, owned)) problems.add(`${path}.aliases`, mayNot)
      const own = [step.label, ...(textsIn(before, 'aliases') ?? [])]
      problems.addFields(path, errorsIn(await checkAliases(db, accountOf(account), aliases, own, check)))
    }
    if (groupIn(after, 'settings') !== undefined) {
      if (!canConfigure(principal, owned)) problems.add(`${path}.settings`, mayNot)
      checkSettings(desk, step, id === principal.userId)
    }
    const held = units.get(id) ?? []
    const wanted = await wantedUnits(db, after ?? {}, held, catalogue)
    if (wanted === undefined) continue
    const title = textIn(after, 'package')
    if (title !== undefined && !catalogue.ids.has(title.toLowerCase())) {
      problems.add(`${path}.package`, message('bulk.package-unknown', { name: title }))
      continue
    }
    const plan = planSubscriptions(
      { skus: catalogue.skus, units: unitsBySku(held) },
      {
        object: { type: 'user', id },
        wanted,
        actor: subscriptionRights(principal, owned, accountStatus(account)),
        language: desk.language,
        isOffered: parts.config.APP_WITH_SUBSCRIPTIONS,
      },
    )
    if (plan.errors !== undefined) problems.addFields(path, { package: plan.errors })
    desk.added.push(...plan.add.map(monthlyCost))
    desk.removed.push(...plan.remove)
  }
}

function unitsByUser(units: readonly Unit[]): ReadonlyMap<number, readonly Unit[]> {
  const found = new Map<number, Unit[]>()
  for (const unit of units) {
    const known = found.get(unit.objectId)
    if (known === undefined) found.set(unit.objectId, [unit])
    else known.push(unit)
  }
  return found
}

/** Settings of users are checked like those of a single user. */
function checkSettings({ parts, problems, ip }: Desk, { path, after }: Step, isSelf: boolean): void {
  const settings = groupIn(after, 'settings')
  if (settings === undefined) return
  const checked = checkConfig(settings, {
    system: parts.systemPolicy,
    isOwner: false,
    isFactorRequired: parts.secondFactorRules.everybody === 'required',
    ownCountry: isSelf ? { code: parts.locator.country(ip) } : undefined,
  })
  problems.addFields(`${path}.settings`, errorsIn(checked))
}

async function checkDeletions(desk: Desk, steps: readonly Step[]): Promise<void> {
  const { parts, principal, problems, state } = desk
  const roles = new Map(state.users.map(({ id, role }) => [id, role]))
  for (const { id = 0, path, label } of steps) {
    const owned = ownedOf(desk, id, roles.get(id))
    if (!canDelete(principal, owned) || !canDeleteAmongMany(principal, owned)) {
      problems.add(path, message('desired-state.not-deletable', { name: label }))
    }
  }
  const ids = steps.flatMap(({ id }) => (id === undefined ? [] : [id]))
  desk.removed.push(...(await readUnits(parts.db, 'user', ids)))
}
