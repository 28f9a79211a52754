import { hasBit, userStatus } from '@gatehouse/contract/status'
import { CompiledQuery } from 'kysely'
import type { Db } from '../platform/db/database.ts'
import type { BackendRole, BackendUser } from './backend.ts'

/** KiB of one unit of storage. */
const unit = 1_048_576
/** Units that an account which has not paid is left with. */
const degradedUnits = 5

/** A user as provisioning sees it, deleted ones too. */
export interface ProvisionedUser {
  readonly backend: BackendUser
  readonly status: number
  readonly isDeleted: boolean
  readonly isService: boolean
  readonly hasMailbox: boolean
  /** An account in mandate mode becomes active with its first payment, and its users with their owner. */
  readonly awaitsPayment: boolean
}

interface Row {
  id: number
  email: string
  status: number
  role: string | null
  is_deleted: boolean
  aliases: string[]
  settings: Record<string, string>
  units: Record<string, number>
  owner_status: number | null
  plan_mode: string | null
}

const statement = `select u.id, u.email, u.status, u.role, u.deleted_at is not null as is_deleted,
    o.status as owner_status,
    array(select a.address from addresses a where a.kind = 'alias' and a.object_id = u.id order by 1) as aliases,
    (select coalesce(json_object_agg(s.key, s.value), '{}') from user_settings s
      where s.user_id = u.id and s.key in ('first_name', 'last_name', 'organization')) as settings,
    (select coalesce(json_object_agg(handler, units), '{}') from (
      select k.handler, count(*)::int as units from entitlements e join skus k on k.id = e.sku_id
      where e.object_type = 'user' and e.object_id = u.id and e.deleted_at is null group by k.handler) h) as units,
    (select p.mode from user_settings s join plans p on p.id::text = s.value
      where s.user_id = o.id and s.key = 'plan_id') as plan_mode
  from users u left join wallets w on w.id = u.wallet_id left join users o on o.id = w.user_id
  where u.id = $1`

/** Reads a user with all that a back end is told; undefined when there is none. */
export async function readProvisionedUser(db: Db, id: number): Promise<ProvisionedUser | undefined> {
  const { rows } = await db.executeQuery<Row>(CompiledQuery.raw(statement, [id]))
  const row = rows[0]
  if (row === undefined) return undefined
  const ownerStatus = row.owner_status ?? row.status
  const isDegraded = hasBit(row.status, userStatus.degraded) || hasBit(ownerStatus, userStatus.degraded)
  return {
    backend: {
      id: row.id,
      email: row.email,
      aliases: row.aliases,
      firstName: row.settings.first_name ?? null,
      lastName: row.settings.last_name ?? null,
      organization: row.settings.organization ?? null,
      quota: quota(row.units.Storage ?? 0, isDegraded),
      roles: roles(new Set(Object.keys(row.units)), isDegraded),
      status: row.status,
    },
    status: row.status,
    isDeleted: row.is_deleted,
    isService: row.role === 'service',
    hasMailbox: row.units.Mailbox !== undefined,
    awaitsPayment: row.plan_mode === 'mandate' && !hasBit(ownerStatus, userStatus.active),
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
