import type { ObjectState } from '@gatehouse/contract/directory/directory'
import { sql } from 'kysely'
import { type DomainListContext, domainMatches } from '../../directory/domains/domain-list-store.ts'
import type { DirectoryKind } from '../../directory/objects/object.ts'
import { type ListContext, objectMatches } from '../../directory/objects/object-list-store.ts'
import { type ListFacts, type UserFilter, userMatches } from '../../directory/users/user-list-store.ts'
import type { Db } from '../../platform/db/database.ts'

/** Exclusive start of a part of an export, and its number of rows. */
interface Part {
  readonly after: string
  readonly limit: number
}

export interface ObjectFilter {
  readonly search?: string | null | undefined
  readonly status?: ObjectState | null | undefined
}

export interface DomainRow {
  id: number
  namespace: string
  displayName: string
  status: number
  spfWhitelist: string[]
  createdAt: Date
  deletedAt: Date | null
}

/** Domains that match a filter, sorted by name. */
export async function domainRows(
  db: Db,
  readerId: number,
  filter: ObjectFilter,
  context: DomainListContext,
  { after, limit }: Part,
): Promise<DomainRow[]> {
  const { rows } =
    await sql<DomainRow>`select d.id, d.namespace, d.display_name, d.status, d.spf_whitelist, d.created_at, d.deleted_at
      from domains d where ${domainMatches(readerId, filter, context)} and d.namespace > ${after}
      order by d.namespace limit ${limit}`.execute(db)
  return rows
}

export interface ObjectRow {
  id: number
  email: string
  name: string
  folderType: string | null
  invitationPolicy: string
  createdAt: Date
  members: string[]
  aliases: string[]
}

/** Lists, resources or shared folders that match a filter, sorted by address. */
export async function objectRows(
  db: Db,
  kind: DirectoryKind,
  readerId: number,
  filter: ObjectFilter,
  context: ListContext,
  { after, limit }: Part,
): Promise<ObjectRow[]> {
  const { rows } =
    await sql<ObjectRow>`select o.id, o.email, o.name, o.folder_type, o.invitation_policy, o.created_at,
        array(select address from group_members m where m.group_id = o.id and m.withdrawn_at is null
          order by 1) as members,
        array(select address from addresses a where a.kind = 'folder-alias' and a.object_id = o.id
          order by 1) as aliases
      from directory_objects o where ${objectMatches(kind, readerId, filter, context)} and o.email > ${after}
      order by o.email limit ${limit}`.execute(db)
  return rows
}

export interface UserRow {
  id: number
  email: string
  status: number
  createdAt: Date
  deletedAt: Date | null
  settings: Record<string, string>
  aliases: string[]
  units: Record<string, number>
  /** Null if the mailbox wasn't measured. */
  mailKib: number | null
}

/** Users that match a filter, sorted by address. */
export async function userRows(
  db: Db,
  readerId: number,
  filter: UserFilter,
  facts: ListFacts,
  { after, limit }: Part,
): Promise<UserRow[]> {
  const { rows } = await sql<UserRow>`select u.id, u.email, u.status, u.created_at, u.deleted_at,
      (select coalesce(json_object_agg(key, value), '{}') from user_settings where user_id = u.id) as settings,
      array(select address from addresses where kind = 'alias' and object_id = u.id order by 1) as aliases,
      (select coalesce(json_object_agg(sku_id, units), '{}') from (
        select sku_id, count(*) as units from entitlements
        where object_type = 'user' and object_id = u.id and deleted_at is null group by sku_id) held) as units,
      (select used from mailbox_usage where user_id = u.id) as mail_kib
    from users u where ${userMatches(readerId, filter, facts)} and u.email > ${after}
    order by u.email limit ${limit}`.execute(db)
  return rows
}
