import { domainStatus, domainType } from '@gatehouse/contract/status'
import { sql } from 'kysely'
import { after, type Clock, day, hour } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import type { Purgeable } from '../../platform/purge.ts'
import { type DkimAlgorithm, dkimAlgorithms } from './key-pair.ts'
import type { DkimKey, RotationSettings } from './rotation.ts'

/** A key as stored, without its private part. */
export interface StoredKey extends DkimKey {
  readonly domainId: number
  readonly publicKey: string
}

/** The domain of keys, not deleted. */
export interface KeyDomain {
  readonly id: number
  readonly tenantId: number
  readonly namespace: string
}

const columns = ['domainId', 'selector', 'algorithm', 'publicKey', 'state', 'since', 'visibleSince'] as const

/** Returns all keys of domains, oldest first. */
export function readKeys(db: Db, domainIds: readonly number[]): Promise<StoredKey[]> {
  const ids = sql<boolean>`domain_id = any(${domainIds}::bigint[])`
  return db.selectFrom('dkimKeys').select(columns).where(ids).orderBy('since').orderBy('selector').execute()
}

/** Returns a domain that isn't deleted. */
export function readKeyDomain(db: Db, id: number): Promise<KeyDomain | undefined> {
  return selectDomain(db).where('id', '=', id).executeTakeFirst()
}

/** Returns a domain that isn't deleted, by name. */
export function findKeyDomain(db: Db, namespace: string): Promise<KeyDomain | undefined> {
  return selectDomain(db).where('namespace', '=', namespace).executeTakeFirst()
}

/** Returns a domain and locks it, so that one process at a time changes its keys. */
export function holdKeyDomain(trx: Db, id: number): Promise<KeyDomain | undefined> {
  return selectDomain(trx).where('id', '=', id).forNoKeyUpdate().executeTakeFirst()
}

function selectDomain(db: Db) {
  return db.selectFrom('domains').select(['id', 'tenantId', 'namespace']).where('deletedAt', 'is', null)
}

export interface NewKey {
  readonly domainId: number
  readonly selector: string
  readonly algorithm: DkimAlgorithm
  readonly publicKey: string
  /** Sealed. */
  readonly privateKey: Buffer
}

/** Inserts a key that has to be published. */
export async function insertKey(trx: Db, key: NewKey, now: Date): Promise<void> {
  await trx
    .insertInto('dkimKeys')
    .values({ ...key, state: 'published', since: now })
    .execute()
}

/** Changes the state of a key. The private part of a key that doesn't sign any more is removed. */
export async function moveKey(
  trx: Db,
  domainId: number,
  selector: string,
  state: 'active' | 'retiring' | 'retired',
  now: Date,
): Promise<void> {
  await trx
    .updateTable('dkimKeys')
    .set({ state, since: now, ...(state !== 'active' && { privateKey: null }) })
    .where('domainId', '=', domainId)
    .where('selector', '=', selector)
    .execute()
}

/** Notes which records are in the DNS: `visible` of those whose servers answered. */
export async function noteRecords(
  trx: Db,
  domainId: number,
  { answered, visible }: { readonly answered: readonly string[]; readonly visible: readonly string[] },
  now: Date,
): Promise<void> {
  if (answered.length === 0) return
  await sql`update dkim_keys set checked_at = ${now},
      visible_since = case when selector = any(${visible}::text[]) then coalesce(visible_since, ${now}) end
    where domain_id = ${domainId} and selector = any(${answered}::text[])`.execute(trx)
}

/**
 * Makes times in the future the present: they are from a clock that was set back since. A key then waits its whole time
 * once more, instead of until the clock has caught up.
 */
export async function correctTimes(trx: Db, domainId: number, now: Date): Promise<void> {
  await sql`update dkim_keys set since = least(since, ${now}), visible_since = least(visible_since, ${now}),
      checked_at = least(checked_at, ${now})
    where domain_id = ${domainId} and greatest(since, visible_since, checked_at) > ${now}`.execute(trx)
}

/** Seconds after which records that weren't found are looked up again. */
const lookAgain = 20 * hour

/**
 * Returns confirmed and public domains whose keys have to be created, looked up, moved or corrected. A key that waits
 * for its record is due once a day.
 */
export async function dueDomains(
  db: Db,
  now: Date,
  settings: RotationSettings,
  limit: number,
): Promise<number[]> {
  const ago = (seconds: number) => sql`${after(now, -seconds)}::timestamptz`
  const { rows } = await sql<{ id: number }>`select d.id from domains d
    where d.deleted_at is null
      and (d.status & ${domainStatus.confirmed}::int <> 0 or d.type & ${domainType.public}::int <> 0)
      and ((select count(distinct k.algorithm) from dkim_keys k
          where k.domain_id = d.id and k.state in ('published', 'active')) < ${dkimAlgorithms.length}
        or exists (select from dkim_keys k where k.domain_id = d.id
          and k.state <> 'retired' and greatest(k.since, k.visible_since, k.checked_at) > ${now})
        or exists (select from dkim_keys k where k.domain_id = d.id and case k.state
          when 'published' then k.visible_since <= ${ago(settings.ttl)}
            or coalesce(k.checked_at, '-infinity') <= ${ago(lookAgain)}
          when 'active' then k.since <= ${ago(settings.keyLife - 2 * settings.ttl)}
            and not exists (select from dkim_keys n where n.domain_id = d.id and n.algorithm = k.algorithm
              and n.state = 'published')
          when 'retiring' then k.since <= ${ago(settings.ttl + settings.retryTime)}
          else false end))
    order by d.id limit ${limit}`.execute(db)
  return rows.map(({ id }) => id)
}

export interface SealedKey extends DkimKey {
  readonly privateKey: Buffer
}

/** Returns the active keys of a domain that may send: confirmed or public, and not deleted. */
export async function activeKeys(db: Db, namespace: string): Promise<SealedKey[]> {
  const { rows } = await sql<SealedKey>`select k.selector, k.algorithm, k.state, k.since, k.visible_since,
      k.private_key
    from dkim_keys k join domains d on d.id = k.domain_id
    where d.namespace = ${namespace} and d.deleted_at is null and k.state = 'active'
      and k.private_key is not null
      and (d.status & ${domainStatus.confirmed}::int <> 0 or d.type & ${domainType.public}::int <> 0)`.execute(
    db,
  )
  return rows
}

/** Deletes the keys of domains that can't be restored any more. */
export class PurgeDkimKeys implements Purgeable {
  readonly #db: Db
  readonly #clock: Clock
  readonly #retention: number

  /** `retention` in days. */
  constructor(db: Db, clock: Clock, retention: number) {
    this.#db = db
    this.#clock = clock
    this.#retention = retention * day
  }

  async purge(): Promise<void> {
    await sql`delete from dkim_keys k using domains d
      where d.id = k.domain_id and d.deleted_at < ${after(this.#clock.now(), -this.#retention)}`.execute(
      this.#db,
    )
  }
}
