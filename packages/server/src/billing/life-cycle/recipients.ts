import { isLanguage, type Language } from '@gatehouse/contract/language'
import { hasBit, userStatus } from '@gatehouse/contract/status'
import { sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import { userSetting } from '../../users/setting-store.ts'

/** Somebody who is told about a wallet. */
export interface Recipient {
  readonly userId: number
  readonly address: string
  readonly name: string
  readonly language: Language
}

interface Row {
  id: number
  email: string
  status: number
  language: string | null
  is_owner: boolean
  external: string | null
  first_name: string | null
  last_name: string | null
  has_mailbox: boolean
}

/**
 * Who gets a mail about a wallet: its owner and the others who control it; reference api-billing-admin §23. Each
 * gets it in the own mailbox, or at the external address where there is no mailbox; with `alsoExternal` there as
 * well. Who is not set up yet has an external address only. Nobody when the owner is suspended.
 */
export async function recipientsOf(
  db: Db,
  walletId: string,
  { alsoExternal, withLdap }: { readonly alsoExternal: boolean; readonly withLdap: boolean },
): Promise<Recipient[]> {
  const setting = (key: string) =>
    sql`(select value from user_settings where user_id = u.id and key = ${key})`
  const { rows } = await sql<Row>`select u.id, u.email, u.status, u.language, u.id = w.user_id as is_owner,
      ${setting('external_email')} as external, ${setting('first_name')} as first_name,
      ${setting('last_name')} as last_name,
      exists (select from entitlements e join skus k on k.id = e.sku_id where e.object_type = 'user'
        and e.object_id = u.id and e.deleted_at is null and k.handler = 'Mailbox') as has_mailbox
    from wallets w join users u on u.id = w.user_id
      or u.id in (select user_id from wallet_controllers c where c.wallet_id = w.id)
    where w.id = ${walletId} and u.deleted_at is null
    order by u.id = w.user_id desc, u.id`.execute(db)
  if (!rows.some((row) => row.is_owner && !hasBit(row.status, userStatus.suspended))) return []
  const found = new Map<string, Recipient>()
  for (const row of rows) {
    if (hasBit(row.status, userStatus.suspended)) continue
    for (const address of addressesOf(row, alsoExternal, withLdap)) {
      if (found.has(address)) continue
      const language = isLanguage(row.language) ? row.language : 'en'
      found.set(address, { userId: row.id, address, name: fullName(row), language })
    }
  }
  return [...found.values()]
}

/** The owner of a wallet whose account is closed: the mailbox is gone, an external address is not. */
export async function formerOwnerOf(db: Db, walletId: string): Promise<Recipient> {
  const { id, email, language, external, ...name } = await db
    .selectFrom('wallets as w')
    .innerJoin('users as u', 'u.id', 'w.user_id')
    .select(['u.id', 'u.email', 'u.language'])
    .select([
      userSetting('external_email').as('external'),
      userSetting('first_name').as('first_name'),
      userSetting('last_name').as('last_name'),
    ])
    .where('w.id', '=', walletId)
    .executeTakeFirstOrThrow()
  return {
    userId: id,
    address: external ?? email,
    name: fullName(name),
    language: isLanguage(language) ? language : 'en',
  }
}

function fullName({ first_name, last_name }: Pick<Row, 'first_name' | 'last_name'>): string {
  return `${first_name ?? ''} ${last_name ?? ''}`.trim()
}

function addressesOf(row: Row, alsoExternal: boolean, withLdap: boolean): string[] {
  const ready = userStatus.imapReady | (withLdap ? userStatus.ldapReady : 0)
  const external = row.external === null ? [] : [row.external]
  if (!hasBit(row.status, ready)) return alsoExternal ? external : []
  if (!row.has_mailbox) return external
  return alsoExternal ? [row.email, ...external] : [row.email]
}
