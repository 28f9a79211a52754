import { provision } from '../groupware/provision.ts'
import { type Actor, audit } from '../platform/audit.ts'
import type { Db } from '../platform/db/database.ts'
import { HttpError, NotFound } from '../platform/http/errors.ts'
import { holdWallet } from '../subscriptions/entitlement-store.ts'
import { restoreSubscriptions } from '../subscriptions/restore-subscriptions.ts'
import { domainsDeletedWith, membersDeletedWith, readDeletedUsers } from './deleted-user-store.ts'
import { restoreDomain } from './member-store.ts'
import { type RestoreParts, restoreUserIn } from './restore-user.ts'

/** Users that are looked for at once. */
const batch = 50

/** What came back of an account, and the addresses of users who could not. */
export interface RestoredAccount {
  readonly users: number
  readonly domains: number
  readonly failed: readonly string[]
}

/**
 * Brings a deleted user back for the operator; with the owner of an account comes all that was deleted with it.
 * It goes in steps that may each be repeated, except that an interrupted one has the rest restored one by one.
 * Throws NotFound, ValidationError.
 */
export async function restoreAccount(parts: RestoreParts, ownerId: number): Promise<RestoredAccount> {
  const { db } = parts
  const by: Actor = {}
  const [owner] = await readDeletedUsers(db, [ownerId], parts.retention.since())
  await db.transaction().execute((trx) => restoreUserIn(trx, parts, undefined, ownerId, by))
  if (owner === undefined) throw new NotFound()
  const domains = await restoreDomains(parts, ownerId, owner.deletedAt, by)
  const members = await restoreMembers(parts, ownerId, owner.deletedAt, by)
  return { users: 1 + members.restored, domains, failed: members.failed }
}

async function restoreDomains(parts: RestoreParts, ownerId: number, since: Date, by: Actor): Promise<number> {
  const { db, clock } = parts
  const domains = await domainsDeletedWith(db, ownerId, since)
  for (const { id, tenantId, walletId, deletedAt } of domains) {
    await db.transaction().execute(async (trx) => {
      await holdWallet(trx, walletId)
      await restoreDomain(trx, clock, id)
      await restoreSubscriptions(trx, clock, { walletId, object: { type: 'domain', id }, deletedAt })
      await provision(trx, { kind: 'domain', id })
      const event = 'domain.restored'
      await audit(trx, clock, { tenantId, objectType: 'domain', objectId: id, event, actor: by })
    })
  }
  return domains.length
}

async function restoreMembers(
  parts: RestoreParts,
  ownerId: number,
  since: Date,
  by: Actor,
): Promise<{ restored: number; failed: string[] }> {
  const failed: string[] = []
  let restored = 0
  let last = 0
  for (;;) {
    const ids = await membersDeletedWith(parts.db, ownerId, since, last, batch)
    for (const id of ids) {
      const problem = await restoreMember(parts, id, by)
      if (problem === undefined) restored++
      else failed.push(problem)
      last = id
    }
    if (ids.length < batch) return { restored, failed }
  }
}

/** The number of one who cannot come back. */
async function restoreMember(parts: RestoreParts, id: number, by: Actor): Promise<string | undefined> {
  try {
    await parts.db.transaction().execute((trx: Db) => restoreUserIn(trx, parts, undefined, id, by))
    return undefined
  } catch (error) {
    if (error instanceof HttpError) return `${id}: ${error.message}`
    throw error
  }
}
