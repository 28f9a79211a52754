import { hasBit, userStatus } from '@gatehouse/contract/status'
import { sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import { parseEmailAddress } from '../../users/addresses/email-address.ts'
import { withoutTag } from '../submission/submission.ts'

export const recipientKinds = ['user', 'group', 'resource', 'shared-folder'] as const
export type RecipientKind = (typeof recipientKinds)[number]

/** Who gets the mail for an address of ours. */
export interface Recipient {
  readonly kind: RecipientKind
  readonly id: number
  /** Main address. */
  readonly email: string
  readonly walletId: string | null
  readonly isSuspended: boolean
  /** Settings of the user and the owner of the account, by key; empty for other kinds than users. */
  readonly settings: Readonly<Record<string, string>>
  readonly ownerSettings: Readonly<Record<string, string>>
  /** Hosts that may send to the address's domain regardless of SPF, each with a leading dot. */
  readonly spfExceptions: readonly string[]
  /** Domains of the account, canonical. */
  readonly accountDomains: readonly string[]
}

/**
 * Returns who gets the mail for an address: its object, the one with the address without its tag (`jane+news`), or the
 * user with the alias `catchall@` of its domain; undefined: nobody here. Deleted objects get no mail.
 */
export async function findRecipient(db: Db, text: string): Promise<Recipient | undefined> {
  const address = parseEmailAddress(text)
  if (address === undefined) return undefined
  const candidates = [address.full, withoutTag(address.full), `catchall@${address.domain}`]
  const settingsOf = (userId: string) =>
    sql<Record<string, string>>`coalesce((select json_object_agg(s.key, s.value) from user_settings s
      where s.user_id = ${sql.ref(userId)} and s.key in ('greylist_enabled', 'itip_config',
        'externalsender_config', 'greylist_policy', 'itip_policy', 'externalsender_policy',
        'externalsender_policy_domains', 'spf_whitelist')), '{}')`
  const row = await db
    .selectFrom('addresses as a')
    .leftJoin('users as u', (join) =>
      join
        .onRef('u.id', '=', 'a.objectId')
        .on('a.kind', 'in', ['user', 'alias'])
        .on('u.deletedAt', 'is', null),
    )
    .leftJoin('directoryObjects as o', (join) =>
      join
        .onRef('o.id', '=', 'a.objectId')
        .on('a.kind', 'in', ['group', 'resource', 'shared-folder', 'folder-alias'])
        .on('o.deletedAt', 'is', null),
    )
    .leftJoin('wallets as w', (join) => join.on(sql`w.id`, '=', sql`coalesce(u.wallet_id, o.wallet_id)`))
    .leftJoin('domains as d', 'd.namespace', 'a.domain')
    .select(['u.id as userId', 'u.email as userEmail', 'u.status as userStatus'])
    .select([
      'o.id as objectId',
      'o.kind as objectKind',
      'o.email as objectEmail',
      'o.status as objectStatus',
    ])
    .select(['w.id as walletId', 'd.spfWhitelist as spfExceptions'])
    .select(
      sql<string[]>`array(select namespace from domains where wallet_id = w.id and deleted_at is null)`.as(
        'accountDomains',
      ),
    )
    .select([settingsOf('u.id').as('settings'), settingsOf('w.userId').as('ownerSettings')])
    .where('a.address', 'in', candidates)
    .where(sql<boolean>`(u.id is not null or o.id is not null)`)
    .where(sql<boolean>`(a.address <> ${candidates[2]} or a.kind in ('user', 'alias'))`)
    .orderBy(sql`array_position(${candidates}::text[], a.address)`)
    .limit(1)
    .executeTakeFirst()
  if (row === undefined) return undefined
  const common = {
    walletId: row.walletId,
    ownerSettings: row.ownerSettings,
    spfExceptions: row.spfExceptions ?? [],
    accountDomains: row.accountDomains,
  }
  if (row.userId !== null && row.userEmail !== null) {
    const isSuspended = hasBit(row.userStatus ?? 0, userStatus.suspended)
    return {
      ...common,
      kind: 'user',
      id: row.userId,
      email: row.userEmail,
      isSuspended,
      settings: row.settings,
    }
  }
  if (row.objectId === null || row.objectKind === null || row.objectEmail === null) return undefined
  // lists are the only objects besides users that can be suspended, by the same bit
  const isSuspended = hasBit(row.objectStatus ?? 0, userStatus.suspended)
  return {
    ...common,
    kind: row.objectKind,
    id: row.objectId,
    email: row.objectEmail,
    isSuspended,
    settings: {},
  }
}

/** Returns the domains of an account, canonical. */
export async function domainsOf(db: Db, walletId: string | null): Promise<string[]> {
  if (walletId === null) return []
  const rows = await db
    .selectFrom('domains')
    .select('namespace')
    .where('walletId', '=', walletId)
    .where('deletedAt', 'is', null)
    .execute()
  return rows.map(({ namespace }) => namespace)
}
