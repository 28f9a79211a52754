import type { DelegationOptions } from '@gatehouse/contract/directory/delegation'
import { userStatus } from '@gatehouse/contract/status'
import { sql } from 'kysely'
import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import { newUuid } from '../../platform/ids.ts'
import { userSetting } from '../setting-store.ts'

/** Status bits of a delegation: the groupware has its current state. */
export const delegationStatus = { active: 2 } as const

/** One side of a delegation. */
export interface DelegationUser {
  readonly id: number
  readonly email: string
}

/** A stored delegation. */
export interface StoredDelegation {
  readonly id: string
  readonly tenantId: number
  readonly delegator: DelegationUser
  readonly delegatee: DelegationUser
  readonly options: DelegationOptions
}

/** The other side of a delegation, for lists. */
export interface DelegationRow {
  readonly email: string
  readonly aliases: string[]
  readonly firstName: string | null
  readonly lastName: string | null
  readonly options: DelegationOptions
  readonly status: number
}

/** Returns a user's delegates, or the users they are a delegate of, by address. */
export function listDelegations(
  db: Db,
  userId: number,
  direction: 'delegations' | 'delegators',
): Promise<DelegationRow[]> {
  const [own, other] =
    direction === 'delegations'
      ? (['d.delegatorId', 'd.delegateeId'] as const)
      : (['d.delegateeId', 'd.delegatorId'] as const)
  return db
    .selectFrom('delegations as d')
    .innerJoin('users as u', 'u.id', other)
    .select(['u.email', 'd.options', 'd.status'])
    .select([
      userSetting('first_name').as('firstName'),
      userSetting('last_name').as('lastName'),
      sql<
        string[]
      >`array(select address from addresses where kind = 'alias' and object_id = u.id order by 1)`.as(
        'aliases',
      ),
    ])
    .where(own, '=', userId)
    .where('u.deletedAt', 'is', null)
    .orderBy('u.email')
    .execute()
}

/** Returns an active user in the same account by primary address; technical accounts can't be delegates. */
export async function findColleague(
  db: Db,
  userId: number,
  email: string,
): Promise<DelegationUser | undefined> {
  return db
    .selectFrom('users as u')
    .innerJoin('users as own', 'own.walletId', 'u.walletId')
    .select(['u.id', 'u.email'])
    .where('own.id', '=', userId)
    .where('u.email', '=', email)
    .where('u.deletedAt', 'is', null)
    .where((where) => where.or([where('u.role', 'is', null), where('u.role', '!=', 'service')]))
    .executeTakeFirst()
}

/** Locks users against deletion until the transaction ends; returns false if one is already deleted. */
export async function keepUsers(db: Db, ids: readonly number[]): Promise<boolean> {
  const rows = await db
    .selectFrom('users')
    .select('id')
    .where('id', 'in', ids)
    .where('deletedAt', 'is', null)
    .orderBy('id')
    .forShare()
    .execute()
  return rows.length === ids.length
}

/** Adds a delegation that isn't synced yet; undefined if the pair already has one. */
export async function insertDelegation(
  db: Db,
  clock: Clock,
  facts: Omit<StoredDelegation, 'id'>,
): Promise<string | undefined> {
  const now = clock.now()
  const row = await db
    .insertInto('delegations')
    .values({
      id: newUuid(),
      tenantId: facts.tenantId,
      delegatorId: facts.delegator.id,
      delegateeId: facts.delegatee.id,
      options: JSON.stringify(facts.options),
      status: 0,
      createdAt: now,
      updatedAt: now,
    })
    .onConflict((conflict) => conflict.columns(['delegatorId', 'delegateeId']).doNothing())
    .returning('id')
    .executeTakeFirst()
  return row?.id
}

function delegations(db: Db) {
  return db
    .selectFrom('delegations as d')
    .innerJoin('users as giver', 'giver.id', 'd.delegatorId')
    .innerJoin('users as u', 'u.id', 'd.delegateeId')
    .select(['d.id', 'd.tenantId', 'd.options', 'd.delegatorId', 'd.delegateeId'])
    .select(['giver.email as delegatorEmail', 'u.email as delegateeEmail'])
}

type Row = Awaited<ReturnType<ReturnType<typeof delegations>['executeTakeFirstOrThrow']>>

function toDelegation(row: Row): StoredDelegation {
  return {
    id: row.id,
    tenantId: row.tenantId,
    delegator: { id: row.delegatorId, email: row.delegatorEmail },
    delegatee: { id: row.delegateeId, email: row.delegateeEmail },
    options: row.options,
  }
}

/** Returns the delegation to a primary address, locked until the transaction ends. */
export async function holdDelegation(
  db: Db,
  delegatorId: number,
  email: string,
): Promise<StoredDelegation | undefined> {
  const row = await delegations(db)
    .where('d.delegatorId', '=', delegatorId)
    .where('u.email', '=', email)
    .where('u.deletedAt', 'is', null)
    .forUpdate('d')
    .executeTakeFirst()
  return row && toDelegation(row)
}

/** Returns all delegations from and to a user, locked until the transaction ends. */
export async function holdDelegationsOf(db: Db, userId: number): Promise<StoredDelegation[]> {
  const rows = await delegations(db)
    .where((where) => where.or([where('d.delegatorId', '=', userId), where('d.delegateeId', '=', userId)]))
    .orderBy('d.id')
    .forUpdate('d')
    .execute()
  return rows.map(toDelegation)
}

/** Changes what is granted and marks it as not synced. */
export async function setOptions(
  db: Db,
  clock: Clock,
  id: string,
  options: DelegationOptions,
): Promise<void> {
  await db
    .updateTable('delegations')
    .set({ options: JSON.stringify(options), status: 0, updatedAt: clock.now() })
    .where('id', '=', id)
    .execute()
}

export async function removeDelegations(db: Db, ids: readonly string[]): Promise<void> {
  if (ids.length > 0) await db.deleteFrom('delegations').where('id', 'in', ids).execute()
}

/** Returns a delegation for the groupware, with whether both mailboxes are ready. */
export async function readForBackend(
  db: Db,
  id: string,
): Promise<(StoredDelegation & { readonly isPossible: boolean }) | undefined> {
  const row = await delegations(db)
    .select(
      sql<boolean>`giver.status & u.status & ${userStatus.imapReady}::int <> 0
        and giver.deleted_at is null and u.deleted_at is null`.as('isPossible'),
    )
    .where('d.id', '=', id)
    .executeTakeFirst()
  return row && { ...toDelegation(row), isPossible: row.isPossible }
}

/** Marks a delegation with these options as synced; one changed meanwhile stays pending. */
export async function markActive(db: Db, id: string, options: DelegationOptions): Promise<void> {
  await db
    .updateTable('delegations')
    .set({ status: delegationStatus.active })
    .where('id', '=', id)
    .where(sql<boolean>`options = ${JSON.stringify(options)}::jsonb`)
    .execute()
}

/** Whether a user has a particular delegate. */
export async function hasDelegation(db: Db, delegatorId: number, delegateeId: number): Promise<boolean> {
  const row = await db
    .selectFrom('delegations')
    .select('id')
    .where('delegatorId', '=', delegatorId)
    .where('delegateeId', '=', delegateeId)
    .executeTakeFirst()
  return row !== undefined
}

/** Returns delegations from and to a user that aren't synced yet. */
export function waitingDelegations(db: Db, userId: number): Promise<{ id: string; delegatorId: number }[]> {
  return db
    .selectFrom('delegations')
    .select(['id', 'delegatorId'])
    .where((where) => where.or([where('delegatorId', '=', userId), where('delegateeId', '=', userId)]))
    .where('status', '!=', delegationStatus.active)
    .orderBy('id')
    .execute()
}
