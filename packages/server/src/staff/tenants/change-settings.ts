import { type TenantSettings, tenantSettings } from '@gatehouse/contract/staff/tenants'
import { type Actor, audit } from '../../platform/audit.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import { NotFound } from '../../platform/http/errors.ts'
import type { MessageKey } from '../../platform/i18n/translator.ts'
import { foreignSignupDomains, HostTaken, senderProof } from '../../tenants/name-store.ts'
import {
  AddressRefused,
  type AddressRules,
  domainOf,
  parseLink,
  parseTenantUrl,
  senderDomain,
} from '../../tenants/tenant-address.ts'
import { hostKeys, hostOf, syncNames } from '../../tenants/tenant-names.ts'
import { holdTenant, type TenantRow, writeTenantSettings } from '../../tenants/tenant-store.ts'
import { differences } from '../../users/user-snapshot.ts'

type Key = keyof TenantSettings

/** Values by setting; null removes one. */
export type SettingChanges = Readonly<Partial<Record<Key, string | null>>>

/** Rejected settings, with a message key for each. */
export class SettingsRefused extends Error {
  override name = 'SettingsRefused'
  readonly problems: Readonly<Partial<Record<Key, MessageKey>>>

  constructor(problems: SettingsRefused['problems']) {
    super(Object.entries(problems).join(', '))
    this.problems = problems
  }
}

export interface SettingsParts {
  readonly db: Db
  readonly clock: Clock
  readonly addressRules: AddressRules
}

const settingKeys = tenantSettings.keyof().options

/**
 * Changes a tenant's settings, claims the hosts and domains they name, and audits the change. Existing values
 * are not validated again. `isBelowAllowed`: see `parseTenantUrl`. Throws NotFound, SettingsRefused.
 */
export async function changeSettings(
  { db, clock, addressRules }: SettingsParts,
  tenantId: number,
  wishes: SettingChanges,
  { actor, isBelowAllowed = false }: { readonly actor: Actor; readonly isBelowAllowed?: boolean },
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const before = await holdTenant(trx, tenantId)
    if (before === undefined) throw new NotFound()
    const changes = await acceptable(trx, before, wishes, addressRules, isBelowAllowed)
    await writeTenantSettings(trx, tenantId, changes)
    const after = await holdTenant(trx, tenantId)
    if (after === undefined) throw new NotFound()
    await syncNames(trx, clock, after, Object.keys(changes)).catch(refuseTaken(after))
    const data = differences({ ...presentSettings(before.settings) }, { ...presentSettings(after.settings) })
    if (data === undefined) return
    const entry = { tenantId, objectType: 'tenant', objectId: tenantId, event: 'tenant.updated', actor }
    await audit(trx, clock, { ...entry, data })
  })
}

/** Returns all settings of a tenant; null: the installation's value applies. */
export function presentSettings(settings: Readonly<Record<string, string>>): TenantSettings {
  return tenantSettings.parse(Object.fromEntries(settingKeys.map((key) => [key, settings[key] ?? null])))
}

/** Returns the changes in their stored form, without unchanged values. Throws SettingsRefused. */
async function acceptable(
  trx: Db,
  { id, settings }: TenantRow,
  wishes: SettingChanges,
  rules: AddressRules,
  isBelowAllowed: boolean,
): Promise<Record<string, string | null>> {
  const named = settingKeys.filter((key) => wishes[key] !== undefined)
  const changed = named.filter((key) => (wishes[key] ?? null) !== (settings[key] ?? null))
  const changes: Partial<Record<Key, string | null>> = {}
  const problems: Partial<Record<Key, MessageKey>> = {}
  for (const key of changed) {
    try {
      changes[key] = await readValue(trx, id, key, wishes[key] ?? null, rules, isBelowAllowed)
    } catch (error) {
      if (!(error instanceof AddressRefused)) throw error
      problems[key] = error.key
    }
  }
  if (Object.keys(problems).length > 0) throw new SettingsRefused(problems)
  return changes
}

/** Returns a value in its stored form. Throws AddressRefused. */
async function readValue(
  trx: Db,
  tenantId: number,
  key: Key,
  value: string | null,
  rules: AddressRules,
  isBelowAllowed: boolean,
): Promise<string | null> {
  if (value === null) return null
  if (key === 'app.url' || key === 'app.public_url')
    return parseTenantUrl(value, rules, isBelowAllowed).origin
  if (key === 'app.support_url') {
    const { href, origin } = parseLink(value, rules)
    return href === `${origin}/` ? origin : href
  }
  if (key === 'mail.sender.address') {
    // domains that the directory lists as the tenant's own need no further check
    if ((await senderProof(trx, tenantId, domainOf(value))) !== 'directory')
      senderDomain(value, rules, await foreignSignupDomains(trx, tenantId))
  }
  return value
}

/** Reports at which setting a host is taken by another tenant. */
function refuseTaken({ settings }: TenantRow): (error: unknown) => never {
  return (error) => {
    if (!(error instanceof HostTaken)) throw error
    const keys = hostKeys.filter((key) => hostOf(settings[key]) === error.host)
    throw new SettingsRefused(Object.fromEntries(keys.map((key) => [key, 'tenants.host-taken'])))
  }
}
