import { randomBytes } from 'node:crypto'
import { displayDomain } from '@gatehouse/contract/canonical-address'
import { domainStatus, domainType, hasBit } from '@gatehouse/contract/status'
import { sql } from 'kysely'
import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import { newObjectId } from '../../platform/ids.ts'
import type { TakenNames } from './domain-name.ts'

/** Returns the tenant's domains open for sign-up, by name. */
export async function publicDomains(db: Db, tenantId: number): Promise<string[]> {
  const rows = await publicNames(db)
    .where('tenantId', '=', tenantId)
    .where('signupClosedAt', 'is', null)
    .execute()
  return rows.map((row) => row.namespace)
}

/**
 * Returns names that customers can't add: the installation's, public domains of any tenant, and reserved ones.
 */
export async function takenNames(
  db: Db,
  config: { readonly domain: string; readonly reservedDomains: readonly string[] },
): Promise<TakenNames> {
  const open = (await publicNames(db).execute()).map((row) => row.namespace)
  return { own: [config.domain, ...open], reserved: config.reservedDomains }
}

function publicNames(db: Db) {
  return db
    .selectFrom('domains')
    .select('namespace')
    .where(sql<boolean>`type & 1 = 1`)
    .where('deletedAt', 'is', null)
    .orderBy('namespace')
}

export interface DomainSummary {
  readonly id: number
  readonly tenantId: number
  readonly walletId: string | null
  readonly isPublic: boolean
  /** Public, but closed for sign-up. */
  readonly isClosed: boolean
  readonly deletedAt: Date | null
}

/** Returns a domain by name, including deleted ones, whose names stay taken. */
export async function findDomain(db: Db, namespace: string): Promise<DomainSummary | undefined> {
  const row = await db
    .selectFrom('domains')
    .select(['id', 'tenantId', 'walletId', 'type', 'signupClosedAt', 'deletedAt'])
    .where('namespace', '=', namespace)
    .executeTakeFirst()
  return (
    row && {
      id: row.id,
      tenantId: row.tenantId,
      walletId: row.walletId,
      isPublic: hasBit(row.type, domainType.public),
      isClosed: row.signupClosedAt !== null,
      deletedAt: row.deletedAt,
    }
  )
}

export interface NewDomain {
  readonly tenantId: number
  readonly namespace: string
  readonly type: number
  readonly status?: number
  readonly walletId: string | null
  /** False: its DNS is not checked in the background. Public domains are never checked. */
  readonly isWatched?: boolean
}

/**
 * Creates a domain; undefined if the name is taken, even concurrently. An unconfirmed domain is immediately
 * due for the background check.
 */
export async function createDomain(db: Db, clock: Clock, domain: NewDomain): Promise<number | undefined> {
  const now = clock.now()
  const isWatched = domain.isWatched !== false && !hasBit(domain.type, domainType.public)
  for (;;) {
    const row = await db
      .insertInto('domains')
      .values({
        id: newObjectId(),
        tenantId: domain.tenantId,
        namespace: domain.namespace,
        displayName: displayDomain(domain.namespace),
        token: newDomainToken(),
        status: domain.status ?? domainStatus.new,
        type: domain.type,
        walletId: domain.walletId,
        nextCheckAt: isWatched ? now : null,
        watchedSince: isWatched ? now : null,
        dnsCheckedAt: null,
        missingSince: null,
        toldMissingAt: null,
        createdAt: now,
        updatedAt: now,
        deletedAt: null,
      })
      .onConflict((conflict) => conflict.doNothing())
      .returning('id')
      .executeTakeFirst()
    if (row !== undefined) return row.id
    // either the name is taken, or the random id was, which is drawn again
    if ((await findDomain(db, domain.namespace)) !== undefined) return undefined
  }
}

/** Returns 128 random bits in the reference's hash format: 32 hex digits, which fit in one DNS label. */
export function newDomainToken(): string {
  return randomBytes(16).toString('hex')
}

/**
 * Locks the domain of an address that is about to be used, so that it can't be deleted until the transaction
 * ends; returns false if it was. Users of one domain don't block each other. Public domains aren't locked:
 * they can't be deleted this way, and every sign-up would touch their row.
 */
export async function holdDomainOf(trx: Db, namespace: string): Promise<boolean> {
  const row = await trx
    .selectFrom('domains')
    .select('deletedAt')
    .where('namespace', '=', namespace)
    .where(sql<boolean>`type & 1 = 0`)
    .forKeyShare()
    .executeTakeFirst()
  return row === undefined || row.deletedAt === null
}

/** Returns active domains of the accounts a user owns. */
export async function domainsOf(db: Db, ownerId: number): Promise<{ id: number; tenantId: number }[]> {
  const rows = await db
    .selectFrom('domains as d')
    .innerJoin('wallets as w', 'w.id', 'd.walletId')
    .select(['d.id', 'd.tenantId'])
    .where('w.userId', '=', ownerId)
    .where('d.deletedAt', 'is', null)
    .orderBy('d.id')
    .execute()
  return rows.map((row) => ({ id: row.id, tenantId: row.tenantId }))
}

/** Marks a domain as deleted; its name stays taken, see ReleaseDomains. Returns false if it already was. */
export async function markDomainDeleted(db: Db, clock: Clock, id: number): Promise<boolean> {
  const now = clock.now()
  const row = await db
    .updateTable('domains')
    .set({ deletedAt: now, updatedAt: now, nextCheckAt: null })
    .where('id', '=', id)
    .where('deletedAt', 'is', null)
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

/** Returns a wallet's active domains by name, except public ones. */
export async function domainsOfWallet(
  db: Db,
  walletId: string,
): Promise<{ namespace: string; isConfirmed: boolean; isSuspended: boolean }[]> {
  const rows = await db
    .selectFrom('domains')
    .select(['namespace', 'status'])
    .where('walletId', '=', walletId)
    .where('deletedAt', 'is', null)
    .where(sql<boolean>`type & 1 = 0`)
    .orderBy('namespace')
    .execute()
  return rows.map(({ namespace, status }) => ({
    namespace,
    isConfirmed: hasBit(status, domainStatus.confirmed),
    isSuspended: hasBit(status, domainStatus.suspended),
  }))
}
