import { domainStatus, hasBit, userStatus } from '@gatehouse/contract/status'
import { CompiledQuery, sql } from 'kysely'
import type { Clock } from '../platform/clock.ts'
import type { Db } from '../platform/db/database.ts'
import type { ObjectRef } from '../platform/provision/object-ref.ts'
import { awaitsPayment } from '../users/account-lock.ts'
import { transition } from '../users/user-state.ts'
import type { BackendRole, BackendUser, GroupwareBackend } from './backend.ts'
import type { PresentObject, ProvisioningAdapter } from './provisioned-object.ts'

/** KiB of one unit of storage. */
const unit = 1_048_576
/** Units that an account which has not paid is left with. */
const degradedUnits = 5

export interface UserAdapterParts {
  readonly backend: GroupwareBackend
  readonly clock: Clock
  /** There is a directory server, which wants a domain before its users. */
  readonly withLdap: boolean
  /** Enqueues, in the transaction, what has waited for a user's mailbox. */
  readonly onReady: (trx: Db, id: number) => Promise<void>
}

/** Tells the back end of users: mailbox, addresses, quota, roles; reference api-objects §5.3. */
export function userAdapter(parts: UserAdapterParts): ProvisioningAdapter {
  const { backend, clock, withLdap } = parts
  const ready = userStatus.imapReady | (withLdap ? userStatus.ldapReady : 0)

  return {
    kind: 'user',

    async read(db, id) {
      const row = await readRow(db, id)
      return row && presentUser(row, { backend, withLdap, ready })
    },

    remove: (id, email) => backend.deleteUser({ id, email }),

    async markReady(trx, id) {
      await transition(trx, clock, id, 'mailboxReady')
      if (withLdap) await transition(trx, clock, id, 'entryReady')
      const row = await readRow(trx, id)
      if (row !== undefined && !isUnpaid(row)) await transition(trx, clock, id, 'activate')
      await parts.onReady(trx, id)
    },

    markRemoved: (trx, id) => transition(trx, clock, id, 'removed'),

    unsettled: sql<{ id: number }>`select u.id from users u where u.role is distinct from 'service'
      and ((u.deleted_at is not null and u.status & ${sql.lit(userStatus.deleted)} = 0)
        or (u.deleted_at is null and u.status & ${sql.lit(userStatus.imapReady)} = 0
          and exists (select from entitlements e join skus k on k.id = e.sku_id
            where e.object_type = 'user' and e.object_id = u.id and e.deleted_at is null
              and k.handler = 'Mailbox')))`,
  }
}

function presentUser(
  row: Row,
  facts: { readonly backend: GroupwareBackend; readonly withLdap: boolean; readonly ready: number },
): PresentObject {
  const { backend } = facts
  const data = (previousEmails: readonly string[]): BackendUser => ({ ...backendUser(row), previousEmails })
  const isActive = hasBit(row.status, userStatus.active) || isUnpaid(row)
  return {
    name: row.email,
    isDeleted: row.is_deleted,
    isRemoved: hasBit(row.status, userStatus.deleted),
    isWanted: row.role !== 'service' && row.units.Mailbox !== undefined,
    isKnown: row.role !== 'service' && hasBit(row.status, userStatus.imapReady),
    isReady: hasBit(row.status, facts.ready) && isActive,
    waitsFor: facts.withLdap ? unreadyDomain(row) : undefined,
    create: (previous) => backend.createUser(data(previous)),
    update: (previous) => backend.updateUser(data(previous)),
  }
}

/** A directory has no place for a user before it has the domain; reference api-objects §5.5. */
function unreadyDomain({ domain }: Row): ObjectRef | undefined {
  if (domain === null || hasBit(domain.status, domainStatus.ldapReady)) return undefined
  return { kind: 'domain', id: domain.id }
}

const isUnpaid = (row: Row) => awaitsPayment(row.plan_mode, row.owner_status ?? row.status)

interface Row {
  id: number
  email: string
  status: number
  password_hash: string | null
  role: string | null
  is_deleted: boolean
  aliases: string[]
  settings: Record<string, string>
  /** Units by handler. */
  units: Record<string, number>
  owner_status: number | null
  plan_mode: string | null
  domain: { id: number; status: number } | null
}

const statement = `select u.id, u.email, u.status, u.password_hash, u.role, u.deleted_at is not null as is_deleted,
    o.status as owner_status,
    array(select a.address from addresses a where a.kind = 'alias' and a.object_id = u.id order by 1) as aliases,
    (select coalesce(json_object_agg(s.key, s.value), '{}') from user_settings s
      where s.user_id = u.id and s.key in ('first_name', 'last_name', 'organization')) as settings,
    (select coalesce(json_object_agg(handler, units), '{}') from (
      select k.handler, count(*)::int as units from entitlements e join skus k on k.id = e.sku_id
      where e.object_type = 'user' and e.object_id = u.id and e.deleted_at is null group by k.handler) h) as units,
    (select p.mode from user_settings s join plans p on p.id::text = s.value
      where s.user_id = o.id and s.key = 'plan_id') as plan_mode,
    (select json_build_object('id', d.id, 'status', d.status) from domains d
      where d.namespace = split_part(u.email, '@', 2) and d.deleted_at is null) as domain
  from users u left join wallets w on w.id = u.wallet_id left join users o on o.id = w.user_id
  where u.id = $1`

async function readRow(db: Db, id: number): Promise<Row | undefined> {
  const { rows } = await db.executeQuery<Row>(CompiledQuery.raw(statement, [id]))
  return rows[0]
}

function backendUser(row: Row): Omit<BackendUser, 'previousEmails'> {
  const isDegraded =
    hasBit(row.status, userStatus.degraded) || hasBit(row.owner_status ?? 0, userStatus.degraded)
  return {
    id: row.id,
    email: row.email,
    aliases: row.aliases,
    firstName: row.settings.first_name ?? null,
    lastName: row.settings.last_name ?? null,
    organization: row.settings.organization ?? null,
    quota: quota(row.units.Storage ?? 0, isDegraded),
    roles: roles(new Set(Object.keys(row.units)), isDegraded),
    status: row.status,
    passwordHash: row.password_hash,
  }
}

function quota(units: number, isDegraded: boolean): number | null {
  if (units === 0) return null
  return (isDegraded ? Math.min(units, degradedUnits) : units) * unit
}

/** Who has not paid keeps nothing but the mailbox. */
function roles(handlers: ReadonlySet<string>, isDegraded: boolean): BackendRole[] {
  if (isDegraded) return ['degraded-user']
  return [
    ...(handlers.has('Auth2F') ? ['2fa-user' as const] : []),
    ...(handlers.has('Activesync') ? ['activesync-user' as const] : []),
    ...(handlers.has('Groupware') ? [] : ['imap-user' as const]),
  ]
}
