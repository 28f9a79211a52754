import type { TenantName } from '@gatehouse/contract/staff/tenants'
import { type Actor, audit } from '../platform/audit.ts'
import { type Clock, wireDate } from '../platform/clock.ts'
import type { Db } from '../platform/db/database.ts'
import type { DnsClient } from '../platform/dns/dns-client.ts'
import { lookForText } from '../platform/dns/text-proof.ts'
import { NotFound } from '../platform/http/errors.ts'
import { systemTenant } from '../platform/tenant.ts'
import { isHostName } from '../users/addresses/email-address.ts'
import {
  claimName,
  foreignSignupDomains,
  HostTaken,
  markConfirmed,
  noteFailure,
  readNames,
  releaseNames,
  senderProof,
  type TenantNameRow,
} from './name-store.ts'
import { type AddressRules, domainOf, isReservedHost, isReservedSender } from './tenant-address.ts'
import { holdTenant, readTenant, type TenantRow } from './tenant-store.ts'

type Settings = Readonly<Record<string, string>>

/** Settings that name a host; links prefer the first. */
export const hostKeys = ['app.public_url', 'app.url'] as const
const senderKey = 'mail.sender.address'

/** A name in the settings and its purpose. */
interface Wanted {
  readonly name: string
  readonly isHost: boolean
  readonly isSender: boolean
  /** Settings that contain it. */
  readonly keys: readonly string[]
}

/**
 * Returns the hosts and domains in a tenant's settings, hosts first. The service itself uses the
 * installation's.
 */
export function wantedNames(settings: Settings): Wanted[] {
  const named = [
    ...hostKeys.map((key) => ({ key, name: hostOf(settings[key]), isHost: true })),
    { key: senderKey, name: settings[senderKey] && domainOf(settings[senderKey]), isHost: false },
  ].flatMap(({ name, ...use }) => (name && isHostName(name) ? [{ ...use, name }] : []))
  return [...new Set(named.map(({ name }) => name))].map((name) => {
    const uses = named.filter((use) => use.name === name)
    return {
      name,
      isHost: uses.some(({ isHost }) => isHost),
      isSender: uses.some(({ isHost }) => !isHost),
      keys: uses.map(({ key }) => key),
    }
  })
}

/** Returns a URL's host for comparison: no port, no trailing dot. Undefined if there is none. */
export function hostOf(url: string | undefined): string | undefined {
  return url !== undefined && URL.canParse(url) ? new URL(url).hostname.replace(/\.$/, '') : undefined
}

/** Returns the URL of a tenant's portal without a trailing slash; undefined if no host is confirmed. */
export function portalOrigin(settings: Settings, hosts: readonly string[]): string | undefined {
  const key = hostKeys.find((one) => hosts.includes(hostOf(settings[one]) ?? ''))
  const url = key && settings[key]
  return url === undefined ? undefined : new URL(url).origin
}

/** Returns the TXT record that verifies a name. */
export function proofRecord(name: string, token: string): TenantName['record'] {
  return { type: 'TXT', name: `_gatehouse.${name}`, value: `gatehouse-verify=${token}` }
}

/**
 * Claims names added to the settings and releases removed ones. Call it in the transaction of the change.
 * Throws HostTaken, which aborts the transaction.
 */
export async function syncNames(
  trx: Db,
  clock: Clock,
  { id, settings }: Pick<TenantRow, 'id' | 'settings'>,
  changed: readonly string[],
): Promise<void> {
  if (id === systemTenant) return
  const wanted = wantedNames(settings)
  const hosts = wanted.filter(({ isHost }) => isHost).map(({ name }) => name)
  await releaseNames(trx, id, { names: wanted.map(({ name }) => name), hosts })
  for (const { name, isHost, keys } of wanted) {
    if (keys.some((key) => changed.includes(key))) await claimName(trx, clock, { tenantId: id, name, isHost })
  }
}

/** Returns a tenant's names with their states, hosts first. */
export async function presentNames(db: Db, tenant: TenantRow): Promise<TenantName[]> {
  const wanted = tenant.id === systemTenant ? [] : wantedNames(tenant.settings)
  const rows = wanted.length === 0 ? [] : await readNames(db, tenant.id)
  return Promise.all(wanted.map((one) => presentName(db, tenant, one, rows)))
}

async function presentName(
  db: Db,
  tenant: TenantRow,
  { name, isHost, isSender }: Wanted,
  rows: readonly TenantNameRow[],
): Promise<TenantName> {
  const row = rows.find((one) => one.name === name && (one.isHost || !isHost))
  const facts = { name, isHost, isSender, record: proofRecord(name, tenant.proofToken) }
  const covered = isHost ? undefined : await senderProof(db, tenant.id, name)
  const isCovered = covered === 'directory' || covered === 'parent'
  return {
    ...facts,
    ...stateOf(row, isHost, isCovered),
    confirmedBy: row?.confirmedBy ?? (isCovered ? covered : null),
    checked_at: row?.checkedAt == null ? null : wireDate(row.checkedAt),
    confirmed_at: row?.confirmedAt == null ? null : wireDate(row.confirmedAt),
  }
}

function stateOf(
  row: TenantNameRow | undefined,
  isHost: boolean,
  isCovered: boolean,
): Pick<TenantName, 'state' | 'reason'> {
  if (isCovered || row?.confirmedAt != null) return { state: 'confirmed', reason: null }
  if (row === undefined && isHost) return { state: 'failed', reason: 'taken' }
  if (row === undefined || row.failure === null) return { state: 'unchecked', reason: null }
  return { state: row.failure === 'absent' ? 'waiting' : 'failed', reason: row.failure }
}

export interface NameChecks {
  readonly db: Db
  readonly clock: Clock
  readonly dns: DnsClient
  readonly addressRules: AddressRules
}

/**
 * Checks the DNS for the proof of a name in a tenant's settings; a confirmed name stays confirmed. Throws
 * NotFound.
 */
export async function checkName(
  parts: NameChecks,
  tenantId: number,
  name: string,
  by: Actor,
): Promise<TenantName> {
  const { db, clock, dns } = parts
  const { tenant, wanted } = await requireName(db, tenantId, name)
  const current = await presentName(db, tenant, wanted, await readNames(db, tenantId))
  if (current.state === 'confirmed') return current
  const isClaimed = await claim(parts, tenantId, name).catch((error: unknown) => {
    if (error instanceof HostTaken) return false
    throw error
  })
  if (isClaimed === false) return { ...current, state: 'failed', reason: 'taken' }
  const { record } = current
  const isReserved = await isKept(parts, tenantId, wanted)
  const proof = isReserved ? 'reserved' : await lookForText(dns, record.name, record.value)
  if (proof === 'given') await confirm(parts, tenant, name, { by: 'dns', actor: by })
  else await noteFailure(db, clock, { tenantId, name }, proof)
  return presentName(db, tenant, wanted, await readNames(db, tenantId))
}

/** Confirms a name without the DNS. Throws NotFound, HostTaken, NameReserved. */
export async function confirmName(
  parts: Omit<NameChecks, 'dns'>,
  tenantId: number,
  name: string,
  { actor, reason, isBelowAllowed = false }: Confirmation,
): Promise<void> {
  const { tenant, wanted } = await requireName(parts.db, tenantId, name)
  if (await isKept(parts, tenantId, wanted, isBelowAllowed)) throw new NameReserved(name)
  await claim(parts, tenantId, name)
  await parts.db.transaction().execute(async (trx) => {
    await confirmIn(trx, parts.clock, tenant, name, { by: 'staff', actor, reason })
  })
}

interface Confirmation {
  readonly actor: Actor
  readonly reason: string
  /** See `parseTenantUrl`. */
  readonly isBelowAllowed?: boolean
}

/** The installation reserves the name. */
export class NameReserved extends Error {
  override name = 'NameReserved'
}

/** Claims a name unless it was removed from the settings meanwhile. Throws NotFound, HostTaken. */
async function claim(
  { db, clock }: Pick<NameChecks, 'db' | 'clock'>,
  tenantId: number,
  name: string,
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const { isHost } = (await requireName(trx, tenantId, name, holdTenant)).wanted
    await claimName(trx, clock, { tenantId, name, isHost })
  })
}

async function requireName(
  db: Db,
  tenantId: number,
  name: string,
  read = readTenant,
): Promise<{ readonly tenant: TenantRow; readonly wanted: Wanted }> {
  const tenant = tenantId === systemTenant ? undefined : await read(db, tenantId)
  const wanted = tenant && wantedNames(tenant.settings).find((one) => one.name === name)
  if (tenant === undefined || wanted === undefined) throw new NotFound()
  return { tenant, wanted }
}

/** Settings may be older than the installation's own names. */
async function isKept(
  { db, addressRules }: Pick<NameChecks, 'db' | 'addressRules'>,
  tenantId: number,
  { name, isHost, isSender }: Wanted,
  isBelowAllowed = false,
): Promise<boolean> {
  if (isHost) return isReservedHost(name, addressRules, isBelowAllowed)
  return isSender && isReservedSender(name, addressRules, await foreignSignupDomains(db, tenantId))
}

interface Proof {
  readonly by: 'dns' | 'staff'
  readonly actor: Actor
  readonly reason?: string
}

function confirm({ db, clock }: NameChecks, tenant: TenantRow, name: string, proof: Proof): Promise<void> {
  return db.transaction().execute((trx) => confirmIn(trx, clock, tenant, name, proof))
}

/** The DNS lookup held no lock, so it only counts if the claim still exists. */
async function confirmIn(
  trx: Db,
  clock: Clock,
  { id }: TenantRow,
  name: string,
  { by, actor, reason }: Proof,
): Promise<void> {
  if (!(await markConfirmed(trx, clock, { tenantId: id, name }, by))) return
  await audit(trx, clock, {
    ...{ tenantId: id, objectType: 'tenant', objectId: id, actor },
    event: 'tenant.name-confirmed',
    ...(reason !== undefined && { comment: reason }),
    data: { name, by },
  })
}
