import { type Actor, audit } from '../../platform/audit.ts'
import { type Message, message, NotFound } from '../../platform/http/errors.ts'
import { type Checked, unless } from '../../platform/http/validation.ts'
import { normaliseDomain } from '../../users/addresses/domain-name.ts'
import { unknownKeyErrors } from '../../users/settings/unknown-keys.ts'
import { differences } from '../../users/user-snapshot.ts'
import type { Domain } from './domain.ts'
import type { DomainParts } from './domain-parts.ts'
import { holdDomain, writeDomain } from './domain-store.ts'

const keys = ['spf_whitelist']

/** Maximum number of host names per list. */
const mostEntries = 1000

/**
 * Validates the configuration of a domain; reference api-objects §8.3. Errors of the list are keyed by
 * position in the input. Undefined: the list was not sent.
 */
export function checkDomainConfig(entries: Readonly<Record<string, unknown>>): Checked<string[] | undefined> {
  const errors = unknownKeyErrors(entries, (key) => keys.includes(key))
  if (!Object.hasOwn(entries, 'spf_whitelist')) return unless(errors, undefined)
  const sent = entries.spf_whitelist
  const list: unknown[] = Array.isArray(sent) ? sent : [sent]
  if (list.length > mostEntries) {
    return { errors: { ...errors, spf_whitelist: message('domains.spf-too-many', { max: mostEntries }) } }
  }
  const names: string[] = []
  const problems = new Map<number, Message>()
  for (const [index, entry] of list.entries()) {
    const name = readEntry(entry)
    if (name === undefined) problems.set(index, message('domains.spf-entry-invalid'))
    else if (name !== '') names.push(name)
  }
  return unless({ ...errors, ...(problems.size > 0 && { spf_whitelist: problems }) }, [...new Set(names)])
}

/** Returns an entry in canonical form, an empty string if it is blank, or undefined if it is invalid. */
function readEntry(entry: unknown): string | undefined {
  if (entry === null || entry === undefined) return ''
  if (typeof entry !== 'string') return undefined
  const text = entry.trim().replace(/\.+$/, '')
  if (text === '') return ''
  const name = text.startsWith('.') ? normaliseDomain(text.slice(1)) : undefined
  return name && `.${name}`
}

/** Sets a domain's configuration. */
export async function configureDomain(
  parts: Pick<DomainParts, 'db' | 'clock'>,
  seen: Domain,
  spfWhitelist: string[],
  by: Actor,
): Promise<void> {
  await parts.db.transaction().execute(async (trx) => {
    const domain = await holdDomain(trx, seen.id)
    if (domain === undefined || domain.deletedAt !== null) throw new NotFound()
    const data = differences({ spf_whitelist: domain.spfWhitelist }, { spf_whitelist: spfWhitelist })
    if (data === undefined) return
    await writeDomain(trx, domain.id, { spfWhitelist, updatedAt: parts.clock.now() })
    await audit(trx, parts.clock, {
      tenantId: domain.tenantId,
      objectType: 'domain',
      objectId: domain.id,
      event: 'domain.configured',
      actor: by,
      data,
    })
  })
}
