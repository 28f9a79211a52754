import { type BackendFieldName, fieldsWith, userFields } from '@gatehouse/contract/directory/user-fields'
import { domainStatus, hasBit, userStatus } from '@gatehouse/contract/status'
import type { Clock } from '../platform/clock.ts'
import type { Db } from '../platform/db/database.ts'
import type { ObjectRef } from '../platform/provision/object-ref.ts'
import { awaitsPayment } from '../users/account-lock.ts'
import { transition } from '../users/user-state.ts'
import type { BackendRole, BackendUser, GroupwareBackend } from './backend.ts'
import type { PresentObject, ProvisioningAdapter } from './provisioned-object.ts'
import { recordQuota } from './usage-store.ts'
import { type ProvisionedUser, readProvisionedUser, unsettledUsers } from './user-store.ts'

/** KiB of one unit of storage. */
const unit = 1_048_576
/** Units that remain for an unpaid account. */
const degradedUnits = 5

export interface UserAdapterParts {
  readonly backend: GroupwareBackend
  readonly clock: Clock
  /** Whether there is a directory server, which needs a domain before its users. */
  readonly withLdap: boolean
  /** Enqueues, in the transaction, what waits for a user's mailbox. */
  readonly onReady: (trx: Db, id: number) => Promise<void>
}

/** Syncs users to the back end: mailbox, addresses, quota, roles; reference api-objects §5.3. */
export function userAdapter(parts: UserAdapterParts): ProvisioningAdapter {
  const { backend, clock, withLdap } = parts
  const ready = userStatus.imapReady | (withLdap ? userStatus.ldapReady : 0)

  return {
    kind: 'user',

    async read(db, id) {
      const row = await readProvisionedUser(db, id)
      return row && presentUser(row, { backend, withLdap, ready, onQuota: (kib) => recordQuota(db, id, kib) })
    },

    remove: (id, email) => backend.deleteUser({ id, email }),

    async markReady(trx, id) {
      await transition(trx, clock, id, 'mailboxReady')
      if (withLdap) await transition(trx, clock, id, 'entryReady')
      const row = await readProvisionedUser(trx, id)
      if (row !== undefined && !isUnpaid(row)) await transition(trx, clock, id, 'activate')
      await parts.onReady(trx, id)
    },

    markRemoved: (trx, id) => transition(trx, clock, id, 'removed'),

    unsettled: unsettledUsers,
  }
}

function presentUser(
  row: ProvisionedUser,
  facts: {
    readonly backend: GroupwareBackend
    readonly withLdap: boolean
    readonly ready: number
    readonly onQuota: (kib: number | null) => Promise<void>
  },
): PresentObject {
  const { backend } = facts
  const data = (previousEmails: readonly string[]): BackendUser => ({ ...backendUser(row), previousEmails })
  const isActive = hasBit(row.status, userStatus.active) || isUnpaid(row)
  return {
    name: row.email,
    isDeleted: row.isDeleted,
    isRemoved: hasBit(row.status, userStatus.deleted),
    isWanted: row.role !== 'service' && row.units.Mailbox !== undefined,
    isKnown: row.role !== 'service' && hasBit(row.status, userStatus.imapReady),
    isReady: hasBit(row.status, facts.ready) && isActive,
    waitsFor: facts.withLdap ? unreadyDomain(row) : undefined,
    create: (previous) => backend.createUser(data(previous)),
    update: async (previous) => {
      const user = data(previous)
      await backend.updateUser(user)
      await facts.onQuota(user.quota)
    },
  }
}

/** A directory needs the domain before it can hold a user; reference api-objects §5.5. */
function unreadyDomain({ domain }: ProvisionedUser): ObjectRef | undefined {
  if (domain === null || hasBit(domain.status, domainStatus.ldapReady)) return undefined
  return { kind: 'domain', id: domain.id }
}

const isUnpaid = (row: ProvisionedUser) => awaitsPayment(row.planMode, row.ownerStatus ?? row.status)

function backendUser(row: ProvisionedUser): Omit<BackendUser, 'previousEmails'> {
  const isDegraded =
    hasBit(row.status, userStatus.degraded) || hasBit(row.ownerStatus ?? 0, userStatus.degraded)
  return {
    id: row.id,
    email: row.email,
    aliases: row.aliases,
    ...personalFields(row.settings),
    quota: quota(row.units.Storage ?? 0, isDegraded),
    roles: roles(new Set(Object.keys(row.units)), isDegraded),
    status: row.status,
    passwordHash: row.passwordHash,
  }
}

function personalFields(settings: Readonly<Record<string, string>>): Record<BackendFieldName, string | null> {
  const values = fieldsWith('backend').map((name) => [userFields[name].backend, settings[name] ?? null])
  // fromEntries loses the key type; the keys are exactly the back end's fields
  return Object.fromEntries(values) as Record<BackendFieldName, string | null>
}

function quota(units: number, isDegraded: boolean): number | null {
  if (units === 0) return null
  return (isDegraded ? Math.min(units, degradedUnits) : units) * unit
}

/** Unpaid accounts keep only the mailbox. */
function roles(handlers: ReadonlySet<string>, isDegraded: boolean): BackendRole[] {
  if (isDegraded) return ['degraded-user']
  return [
    ...(handlers.has('Auth2F') ? ['2fa-user' as const] : []),
    ...(handlers.has('Activesync') ? ['activesync-user' as const] : []),
    ...(handlers.has('Groupware') ? [] : ['imap-user' as const]),
  ]
}
