import { newDomainInput } from '@gatehouse/contract/directory/domains'
import { requireDomainsOffered, requirePaid } from '../../directory/domains/access.ts'
import { checkDomainConfig } from '../../directory/domains/configure-domain.ts'
import { checkDomain } from '../../directory/domains/create-domain.ts'
import { requireRoomCreator } from '../../meetings/rooms/room-access.ts'
import { checkModerators } from '../../meetings/rooms/room-acl.ts'
import { readRoom } from '../../meetings/rooms/room-store.ts'
import { message } from '../../platform/http/errors.ts'
import { errorsIn, reader } from '../../platform/http/validation.ts'
import { countWalletUnits, readUnits } from '../../subscriptions/entitlement-store.ts'
import { packageUnits } from '../../subscriptions/entitlements.ts'
import { monthlyCost } from '../../subscriptions/prices/pricing.ts'
import { readPackageLines } from '../../subscriptions/sku-store.ts'
import { accountStatus } from '../../users/account-view/account-view.ts'
import { checkConfig } from '../../users/settings/config-input.ts'
import { priceObjects } from './check-objects.ts'
import { type Desk, textIn, textsIn } from './desk.ts'
import type { Step } from './steps.ts'
import { packageIds } from './user-subscriptions.ts'

/** Checks the steps about domains, and adds their prices. */
export async function checkDomains(desk: Desk): Promise<void> {
  const { parts, account, principal, problems } = desk
  const { db } = parts
  const steps = desk.steps.filter(({ kind }) => kind === 'domains')
  const created = steps.filter(({ action }) => action === 'create')
  if (created.length > 0) {
    const { tenantSkus } = await parts.presenter.facts(desk, account.user.tenantId)
    requireDomainsOffered(principal, account, tenantSkus)
    requirePaid(accountStatus(account))
    const ids = await packageIds(db, account.user.tenantId)
    const held = new Map(await countWalletUnits(db, account.wallet.id))
    for (const { path, after } of created) {
      const title = textIn(after, 'package')
      const id = title === undefined ? undefined : ids.get(title.toLowerCase())
      const input = { namespace: textIn(after, 'name'), package: id ?? title }
      await problems.attempt(path, () =>
        checkDomain(
          parts,
          account,
          reader(newDomainInput, () => input),
        ),
      )
      const units = id === undefined ? [] : packageUnits(await readPackageLines(db, id), held)
      for (const { skuId } of units) held.set(skuId, (held.get(skuId) ?? 0) + 1)
      desk.added.push(...units.map(monthlyCost))
    }
  }
  for (const { path, after, action } of steps) {
    if (action === 'restore' || after?.spf_whitelist === undefined) continue
    problems.addFields(path, errorsIn(checkDomainConfig({ spf_whitelist: after.spf_whitelist })))
  }
  const gone = steps.filter(({ action }) => action === 'delete')
  for (const { path, label } of gone) {
    if (isUsed(desk, label)) problems.add(path, message('desired-state.domain-used', { name: label }))
  }
  const ids = gone.flatMap(({ id }) => (id === undefined ? [] : [id]))
  desk.removed.push(...(await readUnits(db, 'domain', ids)))
}

/** Whether an object that the plan doesn't delete has an address in a domain. */
function isUsed({ state, steps }: Desk, domain: string): boolean {
  const gone = new Set(
    steps.flatMap(({ action, kind, id }) => (action === 'delete' ? [`${kind} ${id}`] : [])),
  )
  return (['users', 'lists', 'resources', 'folders'] as const).some((kind) =>
    state[kind].some(({ id, values }) => {
      const addresses = [values.email, ...(textsIn(values, 'aliases') ?? [])].map(String)
      const isIn = values.domain === domain || addresses.some((address) => address.endsWith(`@${domain}`))
      return isIn && !gone.has(`${kind} ${id}`)
    }),
  )
}

/** Checks the steps about meeting rooms, and adds their prices. */
export async function checkRooms(desk: Desk): Promise<void> {
  const { parts, principal, problems } = desk
  const steps = desk.steps.filter(({ kind }) => kind === 'rooms')
  if (steps.length === 0) return
  if (!parts.config.APP_WITH_MEET) {
    problems.add('rooms', message('desired-state.kind-not-offered'))
    return
  }
  if (steps.some(({ action }) => action === 'create')) await requireRoomCreator(parts, principal, desk)
  for (const step of steps) if (step.action !== 'restore') await checkShares(desk, step)
  await priceObjects(desk, 'room', steps)
}

/** New rooms can't be shared, because that needs another subscription. */
async function checkShares(desk: Desk, { id, path, after }: Step): Promise<void> {
  const { parts, problems } = desk
  const moderators = textsIn(after, 'moderators') ?? []
  if (moderators.length === 0) return
  const room = id === undefined ? undefined : await readRoom(parts.db, id)
  const present = moderators.filter((address) => !desk.coming.has(address))
  const checked =
    room === undefined
      ? { error: message('policies.invalid-config-parameter') }
      : await checkModerators(parts.db, room, moderatorRules(present))
  if ('error' in checked) problems.addFields(path, { moderators: checked.error })
}

/** Moderators in the form of a room's configuration. */
export function moderatorRules(addresses: readonly string[]): string[] {
  return addresses.map((address) => `${address}, full`)
}

/** Checks changed policies of the account. */
export function checkPolicies({ parts, steps, problems }: Desk): void {
  const step = steps.find(({ kind }) => kind === 'policies')
  if (step?.after == null) return
  const checked = checkConfig(step.after, {
    system: parts.systemPolicy,
    isOwner: true,
    isFactorRequired: parts.secondFactorRules.everybody === 'required',
    ownCountry: undefined,
  })
  problems.addFields(step.path, errorsIn(checked))
}
