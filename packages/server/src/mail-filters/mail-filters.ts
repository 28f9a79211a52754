import type { FilterRule, OutOfOffice } from '@gatehouse/contract/mail/mail-filters'
import { type Actor, audit } from '../platform/audit.ts'
import type { Clock } from '../platform/clock.ts'
import type { Db } from '../platform/db/database.ts'
import { Conflict, message } from '../platform/http/errors.ts'
import { tellSecurity } from '../sessions/security-notice.ts'
import { type FilterContent, forwardsOf } from './check-filters.ts'
import { holdFilters, type StoredFilters, writeFilters } from './filter-store.ts'
import { outsideAddresses } from './people-store.ts'
import { enqueueUpload } from './upload-job.ts'

export interface FilterParts {
  readonly db: Db
  readonly clock: Clock
}

/** The user whose mail is filtered. Callers have checked the permission. */
export interface FilteredUser {
  readonly id: number
  readonly tenantId: number
  readonly walletId: string | null
}

/** The filters of users who have saved none. */
export const noFilters: FilterContent = {
  rules: [],
  outOfOffice: {
    ...{ isEnabled: false, from: null, until: null, timeZone: 'UTC', subject: null, text: null },
    ...{ days: 7, audience: 'everyone', addresses: [] },
  },
}

/** Returns the revision of stored filters, on which a change is based. */
export function filterRevision(stored: Pick<StoredFilters, 'version'> | undefined): string {
  return String(stored?.version ?? 0)
}

/** Returns the addresses outside of the account that a change newly forwards to. */
export async function newForwards(
  db: Db,
  user: FilteredUser,
  rules: readonly FilterRule[],
  stored: StoredFilters | undefined,
): Promise<string[]> {
  const before = new Set(forwardsOf(stored?.rules ?? []))
  const added = forwardsOf(rules).filter((address) => !before.has(address))
  return outsideAddresses(db, user.walletId, added)
}

export interface FilterChange {
  readonly rules: readonly FilterRule[]
  readonly outOfOffice: OutOfOffice
  /** The revision that the change is based on; absent: any. */
  readonly revision?: string | null | undefined
  readonly replacesOther: boolean
}

/**
 * Replaces a user's filters and uploads them. Forwarding outside the account lets someone else read the mail, so it has
 * its own entry in the activity and the user gets an e-mail. Returns the new revision. Throws Conflict.
 */
export async function saveFilters(
  { db, clock }: FilterParts,
  user: FilteredUser,
  change: FilterChange,
  by: { readonly actor: Actor; readonly comment?: string },
): Promise<string> {
  return db.transaction().execute(async (trx) => {
    const stored = await holdFilters(trx, user.id)
    if (change.revision != null && change.revision !== filterRevision(stored)) {
      throw new Conflict(message('mail-filters.changed-meanwhile'))
    }
    const added = await newForwards(trx, user, change.rules, stored)
    const written = await writeFilters(trx, { userId: user.id, ...change, now: clock.now() })
    await enqueueUpload(trx, user.id)
    const about = { tenantId: user.tenantId, objectType: 'user', objectId: user.id, ...by }
    const data = { before: countsOf(stored ?? noFilters), after: countsOf(change) }
    await audit(trx, clock, { ...about, event: 'mail-filters.changed', data })
    for (const address of added) {
      await audit(trx, clock, { ...about, event: 'mail-filters.forwarding-added', data: { address } })
      const { ip } = by.actor
      const notice = { userId: user.id, kind: 'forwarding-added', what: address } as const
      await tellSecurity(trx, { clock }, { ...notice, ...(ip !== undefined && { ip }) })
    }
    return filterRevision(written)
  })
}

/** What the activity shows; texts of replies and names of senders stay private. */
function countsOf({ rules, outOfOffice }: FilterContent) {
  return {
    rules: rules.filter(({ isEnabled }) => isEnabled).length,
    forwardsTo: forwardsOf(rules),
    outOfOffice: outOfOffice.isEnabled,
  }
}
