import { hasBit, userStatus } from '@gatehouse/contract/status'
import type { Pool } from 'pg'
import type { Db } from '../../platform/db/database.ts'
import { columnArray, inOrder, rowsFrom, runPrepared } from '../../platform/db/prepared.ts'
import { parseEmailAddress } from '../../users/addresses/email-address.ts'
import { withoutTag } from '../submission/submission.ts'

export const recipientKinds = ['user', 'group', 'resource', 'shared-folder'] as const
export type RecipientKind = (typeof recipientKinds)[number]

/** Who gets the mail for an address of ours. */
export interface Recipient {
  readonly kind: RecipientKind
  readonly id: number
  readonly tenantId: number
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

const settingsOf = (user: string) => `coalesce((select json_object_agg(s.key, s.value) from user_settings s
    where s.user_id = ${user} and s.key in ('greylist_enabled', 'itip_config', 'externalsender_config',
      'greylist_policy', 'itip_policy', 'externalsender_policy', 'externalsender_policy_domains', 'spf_whitelist')), '{}')`

const recipientsByAddress = {
  name: 'recipients-by-address',
  // the address is found before its settings are read: only one of the candidates counts
  text: `select q.n, r."userId", r."userEmail", r."userStatus", r."objectId", r."objectKind", r."objectEmail",
      r."objectStatus", r."tenantId", w.id as "walletId", d.spf_whitelist as "spfExceptions",
      array(select namespace from domains where wallet_id = w.id and deleted_at is null) as "accountDomains",
      ${settingsOf('r."userId"')} as settings, ${settingsOf('w.user_id')} as "ownerSettings"
    from ${rowsFrom(['integer', 'text', 'text', 'text'])} as q(n, address, untagged, catchall)
      cross join lateral (select u.id as "userId", u.email as "userEmail", u.status as "userStatus", o.id as "objectId",
          o.kind as "objectKind", o.email as "objectEmail", o.status as "objectStatus",
          coalesce(u.tenant_id, o.tenant_id) as "tenantId", coalesce(u.wallet_id, o.wallet_id) as wallet_id, a.domain
        from addresses a
          left join users u on u.id = a.object_id and a.kind in ('user', 'alias') and u.deleted_at is null
          left join directory_objects o on o.id = a.object_id and o.deleted_at is null
            and a.kind in ('group', 'resource', 'shared-folder', 'folder-alias')
        where a.address in (q.address, q.untagged, q.catchall) and (u.id is not null or o.id is not null)
          and (a.address <> q.catchall or a.kind in ('user', 'alias'))
        order by array_position(array[q.address, q.untagged, q.catchall], a.address) limit 1) r
      left join wallets w on w.id = r.wallet_id
      left join domains d on d.namespace = r.domain`,
}

interface RecipientRow extends Pick<Recipient, 'tenantId' | 'walletId' | 'settings' | 'ownerSettings'> {
  readonly n: number
  readonly userId: number | null
  readonly userEmail: string | null
  readonly userStatus: number | null
  readonly objectId: number | null
  readonly objectKind: RecipientKind | null
  readonly objectEmail: string | null
  readonly objectStatus: number | null
  readonly spfExceptions: readonly string[] | null
  readonly accountDomains: readonly string[]
}

/**
 * Returns who gets the mail for an address: its object, the one with the address without its tag (`jane+news`), or the
 * user with the alias `catchall@` of its domain; undefined: nobody here. Deleted objects get no mail.
 */
export async function findRecipient(db: Db, text: string): Promise<Recipient | undefined> {
  const [recipient] = await findRecipients(db, [text])
  return recipient
}

/** Does the same as `findRecipient` for several addresses, in their order. */
export async function findRecipients(
  on: Pool | Db,
  texts: readonly string[],
): Promise<(Recipient | undefined)[]> {
  const queries = texts.flatMap((text, n) => {
    const address = parseEmailAddress(text)
    if (address === undefined) return []
    const { full, domain } = address
    return [{ n, full, untagged: withoutTag(full), catchAll: `catchall@${domain}` }]
  })
  if (queries.length === 0) return texts.map(() => undefined)
  const rows = await runPrepared<RecipientRow>(on, recipientsByAddress, [
    columnArray(queries, ({ n }) => n),
    columnArray(queries, ({ full }) => full),
    columnArray(queries, ({ untagged }) => untagged),
    columnArray(queries, ({ catchAll }) => catchAll),
  ])
  return inOrder(rows, texts.length).map((row) => row && recipientOf(row))
}

function recipientOf(row: RecipientRow): Recipient | undefined {
  const common = {
    tenantId: row.tenantId,
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
