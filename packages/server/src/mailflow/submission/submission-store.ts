import { domainStatus, userStatus } from '@gatehouse/contract/status'
import { sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import type { AddressOwner } from './submission.ts'

/** An address that isn't the caller's, with what the caller may do with it. */
export type OwnedAddress = AddressOwner & { readonly address: string }

export interface SubmittingUser {
  readonly id: number
  readonly walletId: string | null
  readonly role: string | null
  readonly isSuspended: boolean
  /** Main address first, then the aliases in domains that aren't suspended. */
  readonly addresses: readonly string[]
  /** Domains of the account. */
  readonly domains: readonly string[]
  readonly owners: readonly OwnedAddress[]
}

export interface SubmissionQuery {
  /** Canonical main address. */
  readonly login: string
  /** Canonical addresses that the message is sent under. */
  readonly addresses: readonly string[]
  readonly withDelegation: boolean
}

const suspendedDomain = domainStatus.suspended | domainStatus.deleted

/**
 * Returns the user with a login, their own addresses, and the owners of other addresses; undefined: nobody. One
 * statement, because every message that is sent asks.
 *
 * A list may be sent as by those who control its account, and by its members in the account if it's restricted to
 * members. A shared folder may be sent as by those who control its account or have the right `full`.
 */
export async function readSubmittingUser(
  db: Db,
  { login, addresses, withDelegation }: SubmissionQuery,
): Promise<SubmittingUser | undefined> {
  const isClosed = (domain: string) =>
    sql`coalesce(${sql.ref(`${domain}.status`)} & ${suspendedDomain}::int <> 0
      or ${sql.ref(`${domain}.deletedAt`)} is not null, false)`
  const isStopped = (user: string) =>
    sql`coalesce(${sql.ref(`${user}.status`)} & ${userStatus.suspended}::int <> 0
      or ${sql.ref(`${user}.deletedAt`)} is not null, false)`
  const { rows } = await sql<SubmittingUser>`
    select c.id, c.wallet_id, c.role,
      ${isStopped('c')} or ${isStopped('o')} or ${isClosed('d')} as is_suspended,
      array(select a.address from addresses a left join domains ad on ad.namespace = a.domain
        where a.kind in ('user', 'alias') and a.object_id = c.id and (a.address = c.email or not ${isClosed('ad')})
        order by a.address <> c.email, a.address) as addresses,
      array(select namespace from domains where wallet_id = c.wallet_id and deleted_at is null) as domains,
      coalesce((select json_agg(x.owner) from (
        select json_build_object('address', a.address, 'kind', 'user', 'userId', u.id,
          'isSuspended', ${isStopped('u')} or ${isStopped('uo')} or ${isClosed('ad')},
          'letsCallerSend', ${withDelegation}::boolean and exists (select from delegations g
            where g.delegator_id = u.id and g.delegatee_id = c.id and g.options -> 'send_as' = 'true')) as owner
        from addresses a
          join users u on u.id = a.object_id and u.deleted_at is null
          left join wallets uw on uw.id = u.wallet_id
          left join users uo on uo.id = uw.user_id
          left join domains ad on ad.namespace = a.domain
        where a.address = any(${addresses}::text[]) and a.kind in ('user', 'alias') and u.id <> c.id
        union all
        select json_build_object('address', a.address, 'kind', case t.kind when 'group' then 'list' else t.kind end,
          'isSuspended', t.status & ${userStatus.suspended}::int <> 0 or ${isStopped('tc')} or ${isClosed('ad')},
          'letsCallerSend', tw.user_id = c.id
            or exists (select from wallet_controllers k where k.wallet_id = tw.id and k.user_id = c.id)
            or t.kind = 'group' and t.members_may_send and t.wallet_id = c.wallet_id
              and exists (select from group_members m join addresses own on own.address = m.address
                where m.group_id = t.id and m.withdrawn_at is null
                  and own.kind in ('user', 'alias') and own.object_id = c.id)
            or t.kind = 'shared-folder' and t.wallet_id = c.wallet_id
              and exists (select from folder_acl f
                where f.folder_id = t.id and f.user_id in (0, c.id) and f."right" = 'full')) as owner
        from addresses a
          join directory_objects t on t.id = a.object_id and t.deleted_at is null
            and t.kind in ('group', 'shared-folder')
          join wallets tw on tw.id = t.wallet_id
          join users tc on tc.id = tw.user_id
          left join domains ad on ad.namespace = a.domain
        where a.address = any(${addresses}::text[]) and a.kind in ('group', 'shared-folder', 'folder-alias')
      ) x), '[]') as owners
    from users c
      left join wallets w on w.id = c.wallet_id
      left join users o on o.id = w.user_id
      left join domains d on d.namespace = split_part(c.email, '@', 2)
    where c.email = ${login} and c.deleted_at is null`.execute(db)
  return rows[0]
}
