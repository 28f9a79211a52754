import { domainStatus, userStatus } from '@gatehouse/contract/status'
import type { Pool } from 'pg'
import { columnArray, inOrder, rowsFrom, runPrepared } from '../../platform/db/prepared.ts'
import { ownerAwaitsPayment } from '../../users/account-lock-store.ts'
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

const isClosed = (domain: string) =>
  `coalesce(${domain}.status & ${suspendedDomain} <> 0 or ${domain}.deleted_at is not null, false)`
const isStopped = (user: string) =>
  `coalesce(${user}.status & ${userStatus.suspended} <> 0 or ${user}.deleted_at is not null, false)`

const usersByLogin = {
  name: 'submitting-users',
  text: `select (q.n - 1)::integer as n, r.* from ${rowsFrom(['text', 'text', 'boolean'])} with ordinality
      as q(login, addresses, delegation, n) cross join lateral (select c.id, c.wallet_id as "walletId", c.role,
      ${isStopped('c')} or ${isStopped('o')} or ${isClosed('d')} or ${ownerAwaitsPayment} as "isSuspended",
      array(select a.address from addresses a left join domains ad on ad.namespace = a.domain
        where a.kind in ('user', 'alias') and a.object_id = c.id and (a.address = c.email or not ${isClosed('ad')})
        order by a.address <> c.email, a.address) as addresses,
      array(select namespace from domains where wallet_id = c.wallet_id and deleted_at is null) as domains,
      coalesce((select json_agg(x.owner) from (
        select json_build_object('address', a.address, 'kind', 'user', 'userId', u.id,
          'isSuspended', ${isStopped('u')} or ${isStopped('uo')} or ${isClosed('ad')},
          'letsCallerSend', q.delegation and exists (select from delegations g
            where g.delegator_id = u.id and g.delegatee_id = c.id and g.options -> 'send_as' = 'true')) as owner
        from addresses a
          join users u on u.id = a.object_id and u.deleted_at is null
          left join wallets uw on uw.id = u.wallet_id
          left join users uo on uo.id = uw.user_id
          left join domains ad on ad.namespace = a.domain
        where a.address = any(string_to_array(q.addresses, e'\\n')) and a.kind in ('user', 'alias') and u.id <> c.id
        union all
        select json_build_object('address', a.address, 'kind', case t.kind when 'group' then 'list' else t.kind end,
          'isSuspended', t.status & ${userStatus.suspended} <> 0 or ${isStopped('tc')} or ${isClosed('ad')},
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
        where a.address = any(string_to_array(q.addresses, e'\\n'))
          and a.kind in ('group', 'shared-folder', 'folder-alias')
      ) x), '[]') as owners
    from users c
      left join wallets w on w.id = c.wallet_id
      left join users o on o.id = w.user_id
      left join domains d on d.namespace = split_part(c.email, '@', 2)
    where c.email = q.login and c.deleted_at is null limit 1) r`,
}

/**
 * Returns for each query the user with its login, their own addresses, and the owners of other addresses; undefined:
 * nobody. One statement, because every message that is sent asks.
 *
 * A list may be sent as by those who control its account, and by its members in the account if it's restricted to
 * members. A shared folder may be sent as by those who control its account or have the right `full`.
 */
export async function readSubmittingUsers(
  pool: Pool,
  queries: readonly SubmissionQuery[],
): Promise<(SubmittingUser | undefined)[]> {
  const rows = await runPrepared<SubmittingUser & { n: number }>(pool, usersByLogin, [
    columnArray(queries, ({ login }) => login),
    columnArray(queries, ({ addresses }) => addresses.join('\n')),
    columnArray(queries, ({ withDelegation }) => withDelegation),
  ])
  return inOrder(rows, queries.length)
}
