import type { FolderRight } from '@gatehouse/contract/directory/folders'
import { userFieldNames } from '@gatehouse/contract/directory/user-fields'
import { sql } from 'kysely'
import { anyone } from '../../directory/folders/acl-store.ts'
import type { Db } from '../../platform/db/database.ts'
import { configSettings } from '../../users/settings/user-config.ts'

/** A user of an account with what a document can say. */
export interface UserStateRow {
  readonly id: number
  readonly email: string
  readonly role: string | null
  readonly settings: Readonly<Record<string, string>>
  readonly aliases: readonly string[]
  /** Units by SKU id. */
  readonly units: Readonly<Record<string, number>>
}

/** Users of a wallet that aren't deleted, by address. */
export async function usersOfAccount(db: Db, walletId: string): Promise<UserStateRow[]> {
  const keys = [...userFieldNames, ...configSettings]
  const { rows } = await sql<UserStateRow>`with held as (
      select object_id, json_object_agg(sku_id, units) as units from (
        select object_id, sku_id, count(*) as units from entitlements
        where wallet_id = ${walletId} and object_type = 'user' and deleted_at is null group by 1, 2) counted
      group by 1)
    select u.id, u.email, u.role,
      (select coalesce(json_object_agg(key, value), '{}') from user_settings s
        where s.user_id = u.id and s.key = any(${keys}::text[])) as settings,
      array(select address from addresses a where a.kind = 'alias' and a.object_id = u.id order by 1) as aliases,
      coalesce(h.units, '{}') as units
    from users u left join held h on h.object_id = u.id
    where u.wallet_id = ${walletId} and u.deleted_at is null order by u.email`.execute(db)
  return rows
}

/** Units of the domains of a wallet by SKU id, by domain. */
export async function domainUnits(
  db: Db,
  walletId: string,
): Promise<ReadonlyMap<number, Readonly<Record<string, number>>>> {
  const { rows } = await sql<{ objectId: number; units: Record<string, number> }>`
    select object_id, json_object_agg(sku_id, units) as units from (
      select object_id, sku_id, count(*) as units from entitlements
      where wallet_id = ${walletId} and object_type = 'domain' and deleted_at is null group by 1, 2) counted
    group by 1`.execute(db)
  return new Map(rows.map((row) => [row.objectId, row.units]))
}

/** Members of all lists of a wallet, sorted, by list. */
export async function membersOfLists(
  db: Db,
  walletId: string,
): Promise<ReadonlyMap<number, readonly string[]>> {
  const { rows } = await sql<{ id: number; members: string[] }>`
    select g.id, array_agg(m.address order by m.address collate "C") as members
    from directory_objects g join group_members m on m.group_id = g.id and m.withdrawn_at is null
    where g.wallet_id = ${walletId} and g.kind = 'group' and g.deleted_at is null group by g.id`.execute(db)
  return new Map(rows.map((row) => [row.id, row.members]))
}

/** Rules of all folders of a wallet, by folder. */
export async function rulesOfFolders(
  db: Db,
  walletId: string,
): Promise<ReadonlyMap<number, readonly { identifier: string; right: FolderRight }[]>> {
  const { rows } = await sql<{ id: number; rules: { identifier: string; right: FolderRight }[] }>`
    select f.id, json_agg(json_build_object('identifier', coalesce(u.email, ${anyone}), 'right', r."right")
        order by r.user_id <> 0, u.email) as rules
    from directory_objects f join folder_acl r on r.folder_id = f.id left join users u on u.id = r.user_id
    where f.wallet_id = ${walletId} and f.deleted_at is null
      and (r.user_id = 0 or (u.id is not null and u.deleted_at is null)) group by f.id`.execute(db)
  return new Map(rows.map((row) => [row.id, row.rules]))
}

/** Locks objects that a plan changes or deletes until the transaction ends; their wallet is locked first. */
export async function holdObjects(
  trx: Db,
  ids: Readonly<Record<'domains' | 'users' | 'objects', readonly number[]>>,
): Promise<void> {
  const { domains, users, objects } = ids
  await sql`select from users where id = any(${users}::bigint[]) order by id for no key update`.execute(trx)
  await sql`select from domains where id = any(${domains}::bigint[]) order by id for no key update`.execute(
    trx,
  )
  await sql`select from directory_objects where id = any(${objects}::bigint[]) order by id
    for no key update`.execute(trx)
}
