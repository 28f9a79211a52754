import { sql } from 'kysely'
import type { Db } from '../platform/db/database.ts'
import type { ReplyPeople } from './sieve/write-script.ts'

/** A user whose mail is filtered. */
export interface Mailbox {
  readonly id: number
  readonly email: string
  readonly walletId: string | null
}

/** Returns a user who isn't deleted. */
export function findMailbox(db: Db, id: number): Promise<Mailbox | undefined> {
  return db
    .selectFrom('users')
    .select(['id', 'email', 'walletId'])
    .where('id', '=', id)
    .where('deletedAt', 'is', null)
    .executeTakeFirst()
}

/** The most recent ones: a script has a maximum size. */
const mostKnown = 200
/** Members of an account without a domain of its own. */
const mostMembers = 200

/** Returns the people whom automatic replies of a user concern. */
export async function replyPeople(db: Db, { id, email, walletId }: Mailbox): Promise<ReplyPeople> {
  const domains = walletId === null ? [] : await accountDomains(db, walletId)
  const isOwnDomain = domains.includes(email.slice(email.indexOf('@') + 1))
  const addresses = walletId === null || isOwnDomain ? [] : await memberAddresses(db, walletId)
  return {
    own: await ownAddresses(db, id),
    known: await knownAddresses(db, id),
    organisation: { domains, addresses },
  }
}

/** Returns the primary address and the aliases of a user. */
export async function ownAddresses(db: Db, id: number): Promise<string[]> {
  const rows = await db
    .selectFrom('addresses')
    .select('address')
    .where('kind', 'in', ['user', 'alias'])
    .where('objectId', '=', id)
    .orderBy('kind', 'desc')
    .orderBy('address')
    .execute()
  return rows.map((row) => row.address)
}

/** Returns which of these addresses belong neither to a domain nor to a user of the account. */
export async function outsideAddresses(
  db: Db,
  walletId: string | null,
  addresses: readonly string[],
): Promise<string[]> {
  if (addresses.length === 0) return []
  const { rows } = await sql<{ address: string }>`
    select a.address from unnest(${addresses}::text[]) with ordinality a (address, place)
    where not exists (select from domains d where d.wallet_id = ${walletId}::uuid and d.deleted_at is null
        and d.namespace = split_part(a.address, '@', 2))
      and not exists (select from addresses o join users u on u.id = o.object_id
        where o.address = a.address and o.kind in ('user', 'alias') and u.wallet_id = ${walletId}::uuid
        and u.deleted_at is null)
    order by a.place`.execute(db)
  return rows.map((row) => row.address)
}

async function accountDomains(db: Db, walletId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('domains')
    .select('namespace')
    .where('walletId', '=', walletId)
    .where('deletedAt', 'is', null)
    .orderBy('namespace')
    .execute()
  return rows.map((row) => row.namespace)
}

async function memberAddresses(db: Db, walletId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('users')
    .select('email')
    .where('walletId', '=', walletId)
    .where('deletedAt', 'is', null)
    .orderBy('email')
    .limit(mostMembers)
    .execute()
  return rows.map((row) => row.email)
}

/** Addresses that the user has written to, sorted so that the script only changes with them. */
async function knownAddresses(db: Db, userId: number): Promise<string[]> {
  const rows = await db
    .selectFrom('mailCorrespondents')
    .select('address')
    .where('userId', '=', userId)
    .orderBy('lastSeen', 'desc')
    .limit(mostKnown)
    .execute()
  return rows.map((row) => row.address).sort()
}
