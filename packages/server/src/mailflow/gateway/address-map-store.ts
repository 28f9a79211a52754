import { domainStatus, groupStatus, userStatus } from '@gatehouse/contract/status'
import { sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'

/** Whether a domain gets mail here: it's verified and neither suspended nor deleted. */
export async function isMailDomain(db: Db, namespace: string): Promise<boolean> {
  const row = await db
    .selectFrom('domains')
    .select('id')
    .where('namespace', '=', namespace)
    .where('deletedAt', 'is', null)
    .where(sql<boolean>`status & ${domainStatus.suspended}::int = 0`)
    .where(sql<boolean>`status & ${domainStatus.confirmed}::int <> 0`)
    .executeTakeFirst()
  return row !== undefined
}

const isReceiving = sql<boolean>`(u.status & ${userStatus.active}::int <> 0
  and u.status & ${userStatus.suspended}::int = 0 and u.deleted_at is null)`

/** Returns the address if it's the main one of a user who gets mail, of a resource or of a shared folder. */
export async function findMailbox(db: Db, address: string): Promise<string | undefined> {
  const { rows } = await sql<{ email: string }>`
    select u.email from users u where u.email = ${address} and ${isReceiving}
    union all
    select o.email from directory_objects o where o.email = ${address} and o.deleted_at is null
      and (o.kind = 'resource' or (o.kind = 'shared-folder' and o.has_lmtp_alias))`.execute(db)
  return rows[0]?.email
}

/**
 * Returns where mail for an address goes, as a comma-separated list: users and objects to themselves, so that a catch-all
 * never gets their mail; aliases to their user; lists to their members. `@domain` is the catch-all of a domain.
 */
export async function findAlias(db: Db, key: string): Promise<string | undefined> {
  const address = key.startsWith('@') ? `catchall${key}` : key
  // the alias itself is an implementation detail, not an address of its own
  const { rows } = await sql<{ destination: string | null }>`
    select u.email as destination from addresses a join users u on u.id = a.object_id
      where a.address = ${address} and a.kind in ('user', 'alias') and ${isReceiving}
    union all
    select case when o.kind = 'group' then (select string_agg(m.address, ',' order by m.address)
        from group_members m where m.group_id = o.id and m.withdrawn_at is null) else o.email end
      from addresses a join directory_objects o on o.id = a.object_id
      where a.address = ${address} and a.kind in ('group', 'resource', 'shared-folder', 'folder-alias')
        and o.deleted_at is null and (o.kind <> 'group' or o.status & ${groupStatus.suspended}::int = 0)`.execute(
    db,
  )
  return rows[0]?.destination ?? undefined
}

/** Returns the logins that may use an address as sender: its user's, and those of the user's delegates. */
export async function findSenders(db: Db, address: string): Promise<string[]> {
  const { rows } = await sql<{ login: string }>`
    with owner as (select u.id, u.email from addresses a join users u on u.id = a.object_id
      where a.address = ${address} and a.kind in ('user', 'alias') and ${isReceiving})
    select email as login from owner
    union
    select u.email from owner join delegations d on d.delegator_id = owner.id
      join users u on u.id = d.delegatee_id where ${isReceiving}
    order by 1`.execute(db)
  return rows.map(({ login }) => login)
}
