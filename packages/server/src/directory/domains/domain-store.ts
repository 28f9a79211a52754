import { domainStatus, domainType } from '@gatehouse/contract/status'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import type { DnsFound } from '../../platform/db/schema.ts'
import type { StepWork } from '../../users/account-view/setup-process.ts'
import { fullName } from '../../users/user.ts'
import type { Domain } from './domain.ts'

interface Row {
  id: number
  tenantId: number
  namespace: string
  displayName: string
  status: number
  type: number
  walletId: string | null
  ownerId: number | null
  ownerStatus: number | null
  controllerIds: number[]
  token: string
  spfWhitelist: string[]
  dnsFound: DnsFound
  dnsCheckedAt: Date | null
  nextCheckAt: Date | null
  watchedSince: Date | null
  missingSince: Date | null
  toldMissingAt: Date | null
  createdAt: Date
  updatedAt: Date
  deletedAt: Date | null
}

/** Returns a domain by id, including deleted ones, or undefined if there is none. */
export async function readDomain(db: Db, id: number): Promise<Domain | undefined> {
  return read(db, sql`d.id = ${id}`)
}

/** Returns a domain by name. A released name is not found. */
export async function readDomainByName(db: Db, namespace: string): Promise<Domain | undefined> {
  return read(db, sql`d.namespace = ${namespace}`)
}

/**
 * Returns a domain and locks it until the transaction ends, so that it can't change and no address in it can
 * be claimed. Lock its wallet first.
 */
export async function holdDomain(trx: Db, id: number): Promise<Domain | undefined> {
  await sql`select from domains where id = ${id} for update`.execute(trx)
  return readDomain(trx, id)
}

/** Returns domains by id, including deleted ones, ordered by name. */
export async function readDomains(db: Db, ids: readonly number[]): Promise<Domain[]> {
  return ids.length === 0 ? [] : readAll(db, sql`d.id = any(${ids}::bigint[])`)
}

/** Returns the domains of a wallet that aren't deleted, ordered by name. */
export async function domainsOfWallet(db: Db, walletId: string): Promise<Domain[]> {
  return readAll(db, sql`d.wallet_id = ${walletId} and d.deleted_at is null`)
}

async function read(db: Db, condition: RawBuilder<unknown>): Promise<Domain | undefined> {
  const [domain] = await readAll(db, condition)
  return domain
}

async function readAll(db: Db, condition: RawBuilder<unknown>): Promise<Domain[]> {
  const { rows } = await sql<Row>`select d.*, w.user_id as owner_id, o.status as owner_status,
      array(select c.user_id from wallet_controllers c where c.wallet_id = d.wallet_id) as controller_ids
    from domains d left join wallets w on w.id = d.wallet_id left join users o on o.id = w.user_id
    where ${condition} order by d.namespace`.execute(db)
  return rows.map(toDomain)
}

function toDomain(row: Row): Domain {
  return {
    id: row.id,
    tenantId: row.tenantId,
    namespace: row.namespace,
    displayName: row.displayName,
    status: row.status,
    type: row.type,
    walletId: row.walletId,
    ownerId: row.ownerId,
    ownerStatus: row.ownerStatus,
    controllerIds: row.controllerIds,
    token: row.token,
    spfWhitelist: row.spfWhitelist,
    dnsFound: row.dnsFound,
    dnsCheckedAt: row.dnsCheckedAt,
    nextCheckAt: row.nextCheckAt,
    watchedSince: row.watchedSince,
    missingSince: row.missingSince,
    toldMissingAt: row.toldMissingAt,
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
    deletedAt: row.deletedAt,
  }
}

/** Returns true if only deleted objects have an address in the domain. */
export async function isEmptyDomain(db: Db, namespace: string): Promise<boolean> {
  const { rows } = await sql<{ used: boolean }>`select exists (select from addresses a
    where a.domain = ${namespace} and is_live_address(a.kind, a.object_id)) as used`.execute(db)
  return rows[0]?.used === false
}

/** Returns the progress of a domain's set-up steps. */
export async function workOnDomain(db: Db, id: number): Promise<StepWork> {
  const rows = await db
    .selectFrom('provisioning')
    .select(['step', 'state'])
    .where('kind', '=', 'domain')
    .where('objectId', '=', id)
    .execute()
  return Object.fromEntries(rows.map(({ step, state }) => [`domain-${step}`, state]))
}

/** Updates columns of a domain. */
export async function writeDomain(
  db: Db,
  id: number,
  columns: {
    readonly spfWhitelist?: string[]
    readonly dnsFound?: string
    readonly dnsCheckedAt?: Date
    readonly nextCheckAt?: Date | null
    readonly watchedSince?: Date
    readonly missingSince?: Date | null
    readonly toldMissingAt?: Date | null
    readonly updatedAt?: Date
    readonly deletedAt?: null
  },
): Promise<void> {
  await db.updateTable('domains').set(columns).where('id', '=', id).execute()
}

/**
 * Takes up to `limit` domains due for a check and postpones their next check to `until`, so that no other
 * process takes them too. Each check sets the real date. A single statement over the date index.
 */
export async function takeDueDomains(db: Db, now: Date, until: Date, limit: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`update domains set next_check_at = ${until} where id in (
      select id from domains where next_check_at <= ${now} and deleted_at is null
      order by next_check_at limit ${limit} for no key update skip locked)
    returning id`.execute(db)
  return rows.map((row) => row.id)
}

/** Recipient of e-mails about a domain. */
export interface DomainOwner {
  readonly address: string
  readonly name: string
  readonly language: string | null
}

/**
 * Returns the owner of a domain. An owner whose mailbox is in this domain may not be reachable before its
 * records are correct, so the e-mail goes to the external address, if there is one.
 */
export async function ownerOfDomain(db: Db, id: number): Promise<DomainOwner | undefined> {
  const { rows } = await sql<{
    address: string
    firstName: string | null
    lastName: string | null
    language: string | null
  }>`select u.language,
      case when split_part(u.email, '@', 2) = d.namespace then coalesce(x.value, u.email) else u.email end as address,
      (select value from user_settings where user_id = u.id and key = 'first_name') as first_name,
      (select value from user_settings where user_id = u.id and key = 'last_name') as last_name
    from domains d join wallets w on w.id = d.wallet_id join users u on u.id = w.user_id
      left join user_settings x on x.user_id = u.id and x.key = 'external_email'
    where d.id = ${id} and u.deleted_at is null`.execute(db)
  const [row] = rows
  return (
    row && {
      address: row.address,
      name: fullName(row),
      language: row.language,
    }
  )
}

/** Returns name and state of a domain, deleted or not, without its account. */
export function domainState(db: Db, id: number) {
  return db
    .selectFrom('domains')
    .select(['namespace', 'status', 'deletedAt'])
    .where('id', '=', id)
    .executeTakeFirst()
}

/** Domains whose creation or deletion has not been provisioned in the back end yet. */
export const unsettledDomains = sql<{ id: number }>`select d.id from domains d
  where (d.deleted_at is not null and d.status & ${sql.lit(domainStatus.deleted)} = 0)
    or (d.deleted_at is null and not exists (select from provisioning p
      where p.kind = 'domain' and p.object_id = d.id and p.told_at is not null))`

/**
 * Sets and clears status bits in one statement, so that concurrent writers keep each other's bits, and
 * normalises the status. Returns whether any bit changed; undefined if there is no domain in the deletion
 * state that `step` requires.
 */
export async function changeDomainStatus(
  db: Db,
  now: Date,
  id: number,
  step: { readonly add: number; readonly remove: number; readonly ofDeleted?: true },
): Promise<boolean | undefined> {
  const next = normalised(sql`((d.status | ${step.add}::int) & ~${step.remove}::int)`)
  const ofDeleted = step.ofDeleted === true
  const { rows } = await sql<{ changed: boolean }>`
    with before as (select id, status from domains where id = ${id} for no key update)
    update domains d set status = ${next}, updated_at = ${now}
    from before b where d.id = b.id and d.deleted_at ${sql.raw(ofDeleted ? 'is not null' : 'is null')}
      and (${ofDeleted} or d.status & ${domainStatus.deleted}::int = 0)
    returning d.status <> b.status as changed`.execute(db)
  return rows[0]?.changed
}

/**
 * CONFIRMED adds VERIFIED and ACTIVE, DELETED and SUSPENDED remove ACTIVE, ACTIVE removes NEW. So an
 * unsuspended domain becomes active only if it is confirmed. Public domains keep the status their operator
 * sets.
 */
function normalised(status: RawBuilder<unknown>): RawBuilder<number> {
  const { active, confirmed, deleted, suspended, verified } = domainStatus
  const isNew = domainStatus.new
  const ready = confirmed | verified | active
  const halted = deleted | suspended
  return sql<number>`case
    when d.type & ${domainType.public}::int <> 0 then ${status}
    when ${status} & ${halted}::int <> 0 and ${status} & ${confirmed}::int <> 0
      then (${status} | ${verified}::int) & ~${active}::int
    when ${status} & ${halted}::int <> 0 then ${status} & ~${active}::int
    when ${status} & ${confirmed}::int <> 0 then (${status} | ${ready}::int) & ~${isNew}::int
    when ${status} & ${active}::int <> 0 then ${status} & ~${isNew}::int
    else ${status} end`
}
