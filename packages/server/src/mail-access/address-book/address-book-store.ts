import type { NamedAddress } from '@gatehouse/contract/mail/address-book'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import { foldedPattern } from '../../platform/db/like-pattern.ts'

/** An entry of an account's address book. */
export interface BookEntry {
  readonly kind: 'user' | 'group' | 'resource'
  readonly id: number
  readonly email: string
  /** Empty if a user has none. */
  readonly name: string
  readonly firstName: string | null
  readonly lastName: string | null
  readonly organization: string | null
  readonly department: string | null
  readonly aliases: readonly string[]
}

/** Whose addresses: the reader's, or those of all users in the reader's account. */
export type AddressScope = 'self' | 'account'

export interface AddressSearch {
  readonly text: string
  readonly limit: number
  readonly withAliases: boolean
}

const setting = (name: string) =>
  sql<string | null>`(select s.value from user_settings s where s.user_id = u.id and s.key = ${name})`

const walletOf = (readerId: number) => sql`(select r.wallet_id from users r where r.id = ${readerId})`

const fullName = sql<string>`trim(concat_ws(' ', ${setting('first_name')}, ${setting('last_name')}))`

const isPerson = sql`u.deleted_at is null and u.role is distinct from 'service'`

/**
 * Finds addresses of users by a part of the address or the name. The first ones by address are returned, ordered by name;
 * reference api-auth §19.
 */
export async function findAddresses(
  db: Db,
  readerId: number,
  scope: AddressScope,
  { text, limit, withAliases }: AddressSearch,
): Promise<NamedAddress[]> {
  const mine = scope === 'self' ? sql`u.id = ${readerId}` : sql`u.wallet_id = ${walletOf(readerId)}`
  const pattern = foldedPattern(text)
  const aliases = sql`union all select a.address, p.name from people p
    join addresses a on a.kind = 'alias' and a.object_id = p.id`
  const { rows } = await sql<NamedAddress>`with people as (
      select u.id, u.email, ${fullName} as name from users u
      where ${mine} and ${isPerson} and u.search_text like ${pattern}
    ), first as (
      select email, name from (select email, name from people ${withAliases ? aliases : sql``}) found
      where fold_text(concat_ws(chr(10), email, name)) like ${pattern} order by email limit ${limit}
    ) select email, name from first order by name, email`.execute(db)
  return rows
}

/** Finds entries of an account's address book by a part of the address or the name, ordered by address. */
export async function findContacts(
  db: Db,
  readerId: number,
  { text, limit, withUsers }: Omit<AddressSearch, 'withAliases'> & { readonly withUsers: boolean },
): Promise<NamedAddress[]> {
  const { rows } = await sql<NamedAddress>`select e.email, e.name from (${entries(readerId, withUsers)}) e
    where fold_text(concat_ws(chr(10), e.email, e.name)) like ${foldedPattern(text)}
    order by e.email limit ${limit}`.execute(db)
  return rows
}

/** Reads the address book of a user's account, ordered by address. */
export async function readBook(db: Db, readerId: number): Promise<BookEntry[]> {
  const { rows } = await sql<BookEntry>`select e.kind, e.id::float8 as id, e.email, e.name,
      e.first_name as "firstName", e.last_name as "lastName", e.organization, e.department, e.aliases
    from (${entries(readerId, true)}) e order by e.email`.execute(db)
  return rows
}

function entries(readerId: number, withUsers: boolean): RawBuilder<unknown> {
  const people = sql`select 'user' as kind, u.id, u.email, ${fullName} as name, ${setting('first_name')} as first_name,
      ${setting('last_name')} as last_name, ${setting('organization')} as organization,
      ${setting('department')} as department,
      array(select a.address from addresses a where a.kind = 'alias' and a.object_id = u.id order by 1) as aliases
    from users u where u.wallet_id = ${walletOf(readerId)} and ${isPerson} and ${withUsers}`
  const objects = sql`select o.kind, o.id, o.email, o.name, null, null, null, null, '{}'
    from directory_objects o
    where o.wallet_id = ${walletOf(readerId)} and o.kind in ('group', 'resource') and o.deleted_at is null`
  return sql`${people} union all ${objects}`
}
