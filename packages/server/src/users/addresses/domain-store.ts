import { randomBytes } from 'node:crypto'
import { displayDomain } from '@gatehouse/contract/canonical-address'
import { domainStatus, domainType, hasBit } from '@gatehouse/contract/status'
import { sql } from 'kysely'
import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import { newObjectId } from '../../platform/ids.ts'
import type { TakenNames } from './domain-name.ts'

/** Namespaces that people can sign up in with the tenant, by name; those that it closed for sign-up are left out. */
export async function publicDomains(db: Db, tenantId: number): Promise<string[]> {
  const rows = await publicNames(db)
    .where('tenantId', '=', tenantId)
    .where('signupClosedAt', 'is', null)
    .execute()
  return rows.map((row) => row.namespace)
}

/** Names that no customer may bring: of this installation, open for sign-up in any tenant, or reserved. */
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
  /** Public, and closed for sign-up. */
  readonly isClosed: boolean
  readonly deletedAt: Date | null
}

/** A domain by name, deleted ones too, because their names stay taken. */
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
  /** False: nobody looks at its DNS in the background. Public domains are never looked at. */
  readonly isWatched?: boolean
}

/**
 * Creates a domain; undefined when the name is taken, also by somebody who was a moment faster. One that is to be
 * confirmed is due at once for the look in the background.
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
    // either the name is taken, or the random number was, which is drawn again
    if ((await findDomain(db, domain.namespace)) !== undefined) return undefined
  }
}

/** 128 random bits as the reference writes its hash: 32 hexadecimal digits, which one label of a name can hold. */
export function newDomainToken(): string {
  return randomBytes(16).toString('hex')
}

/**
 * Holds the domain of a name that is about to be used in an address, so that nobody deletes it until the
 * transaction ends; false when somebody has. Users of one domain do not wait for each other. Public domains are
 * never deleted that way, and every sign-up would touch their row.
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

/** Living domains of the accounts that a user owns. */
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

/** Marks a domain as deleted; its name stays taken, see ReleaseDomains. False when it is already. */
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

/** Living domains of a wallet by name, those that everybody may sign up in apart. */
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
