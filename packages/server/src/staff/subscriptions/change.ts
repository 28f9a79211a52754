import type { Language } from '@gatehouse/contract/language'
import { readDomain } from '../../directory/domains/domain-store.ts'
import { readObject } from '../../directory/objects/object-store.ts'
import { audit } from '../../platform/audit.ts'
import type { Db } from '../../platform/db/database.ts'
import type { Person } from '../../platform/http/callers/principal.ts'
import { NotFound } from '../../platform/http/errors.ts'
import { provision } from '../../platform/provision/provision.ts'
import {
  type ChangedUnit,
  changeSubscriptions,
  type WantedSubscriptions,
} from '../../subscriptions/change-subscriptions.ts'
import { holdWallet } from '../../subscriptions/entitlement-store.ts'
import { subscriptionRights } from '../../subscriptions/policy.ts'
import { type AccountView, accountStatus, ownedUser } from '../../users/account-view/account-view.ts'
import type { By, StaffParts } from '../staff-parts.ts'
import type { Subject } from './subject.ts'

/**
 * Returns an object's requested subscriptions, by the general rules; staff may choose what controllers may.
 */
export function wantedBy(
  principal: Person,
  { object, tenantId, user }: Subject,
  owner: AccountView,
  wanted: Readonly<Record<string, unknown>>,
  language: Language,
): WantedSubscriptions & { readonly walletId: string } {
  const account = user ?? owner
  const rights = subscriptionRights(principal, ownedUser(account), accountStatus(account))
  return {
    object,
    tenantId,
    walletId: account.wallet.id,
    wanted,
    actor: { ...rights, isController: true },
    language,
    isOffered: true,
  }
}

/**
 * Changes an object's subscriptions to the complete requested state; records additions and removals, one line
 * per SKU. Throws ValidationError at `skus`, NotFound.
 */
export async function changeSubject(
  { db, clock }: Pick<StaffParts, 'db' | 'clock'>,
  request: WantedSubscriptions & { readonly walletId: string },
  { object }: Subject,
  by: By,
): Promise<void> {
  const { tenantId } = request
  await db.transaction().execute(async (trx) => {
    await holdWallet(trx, request.walletId)
    // deletion takes the same lock
    if (!(await isThere(trx, object))) throw new NotFound()
    const { added, removed } = await changeSubscriptions(trx, clock, request)
    for (const [verb, changed] of [['removed', removed] as const, ['added', added] as const]) {
      for (const [sku, units] of unitsBySku(changed)) {
        await audit(trx, clock, {
          tenantId,
          objectType: object.type,
          objectId: object.id,
          event: `${object.type}.sku-${verb}`,
          ...by,
          data: { sku, ...(units !== 1 && { units: verb === 'added' ? units : -units }) },
        })
      }
    }
    if (added.length + removed.length > 0) await provision(trx, { kind: object.type, id: object.id })
  })
}

/** Deleted users are rejected by the subscriptions themselves. */
async function isThere(trx: Db, { type, id }: Subject['object']): Promise<boolean> {
  if (type === 'user') return true
  const found = type === 'domain' ? await readDomain(trx, id) : await readObject(trx, type, id)
  return found?.deletedAt === null
}

/** Returns the number of units by SKU title. */
function unitsBySku(changed: readonly ChangedUnit[]): ReadonlyMap<string, number> {
  const found = new Map<string, number>()
  for (const { title } of changed) found.set(title, (found.get(title) ?? 0) + 1)
  return found
}
