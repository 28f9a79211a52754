import { groupStatus, hasBit } from '@gatehouse/contract/status'
import { sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import { parseEmailAddress } from '../../users/addresses/email-address.ts'
import { withoutTag } from '../submission/submission.ts'
import type { ListAccessFacts, ListAccessSettings } from './list-access.ts'
import { senderAddress } from './sender-address.ts'

/** A distribution list as a sender meets it. */
export interface AddressedList {
  readonly id: number
  /** Main address. */
  readonly email: string
  readonly walletId: string
  /** Domains of its account. */
  readonly ownDomains: readonly string[]
  readonly settings: ListAccessSettings
  readonly facts: Omit<ListAccessFacts, 'sender' | 'authentication'>
}

/**
 * Returns the distribution list that gets the mail for an address, with its rules and what the sender is to it; undefined
 * if the address isn't that of a list. Tags (`team+news`) are left out unless an object has the address with its tag.
 */
export async function findList(
  db: Db,
  recipient: string,
  sender: string,
): Promise<AddressedList | undefined> {
  const address = parseEmailAddress(recipient)
  if (address === undefined) return undefined
  const candidates = [address.full, withoutTag(address.full)]
  const from = senderAddress(sender)?.full ?? ''
  const row = await db
    .selectFrom('addresses as a')
    .innerJoin('directoryObjects as o', 'o.id', 'a.objectId')
    .innerJoin('wallets as w', 'w.id', 'o.walletId')
    .select(['o.id', 'o.email', 'o.walletId', 'o.senderPolicy', 'o.membersMaySend', 'o.status'])
    .select('w.userId as accountId')
    .select((select) => [
      select
        .exists(
          select
            .selectFrom('groupMembers as m')
            .whereRef('m.groupId', '=', 'o.id')
            .where('m.address', '=', from)
            .where('m.withdrawnAt', 'is', null),
        )
        .as('isMember'),
      select
        .selectFrom('addresses as s')
        .innerJoin('users as u', 'u.id', 's.objectId')
        .innerJoin('wallets as sw', 'sw.id', 'u.walletId')
        .select('sw.userId')
        .where('s.address', '=', from)
        .where('s.kind', 'in', ['user', 'alias'])
        .where('u.deletedAt', 'is', null)
        .as('senderAccountId'),
      sql<string[]>`array(select d.namespace from domains d
        where d.wallet_id = o.wallet_id and d.deleted_at is null)`.as('ownDomains'),
    ])
    .where('a.kind', '=', 'group')
    .where('o.deletedAt', 'is', null)
    // of the address with and without its tag, the first that anything has
    .where('a.address', '=', (select) =>
      select
        .selectFrom('addresses as first')
        .select('first.address')
        .where('first.address', 'in', candidates)
        .orderBy(sql`array_position(${candidates}::text[], first.address)`)
        .limit(1),
    )
    .executeTakeFirst()
  if (row === undefined) return undefined
  const { id, email, walletId, ownDomains, senderPolicy, membersMaySend } = row
  const isSuspended = hasBit(row.status, groupStatus.suspended)
  return {
    ...{ id, email, walletId, ownDomains },
    settings: { senderPolicy, membersMaySend, isSuspended },
    facts: {
      senderAccountId: row.senderAccountId,
      listAccountId: row.accountId,
      members: row.isMember ? [from] : [],
    },
  }
}
