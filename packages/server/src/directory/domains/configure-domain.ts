import { type Actor, audit } from '../../platform/audit.ts'
import {
  type FieldMessages,
  type Message,
  message,
  NotFound,
  ValidationError,
} from '../../platform/http/errors.ts'
import { normaliseDomain } from '../../users/addresses/domain-name.ts'
import { unknownKeyErrors } from '../../users/settings/unknown-keys.ts'
import { differences } from '../../users/user-snapshot.ts'
import type { Domain } from './domain.ts'
import type { DomainParts } from './domain-parts.ts'
import { holdDomain, writeDomain } from './domain-store.ts'

const keys = ['spf_whitelist']

/** Host names of one list; nobody keeps more by hand. */
const mostEntries = 1000

export interface CheckedDomainConfig {
  /** Undefined: the list was not sent. */
  readonly spfWhitelist: string[] | undefined
  readonly errors: Readonly<Record<string, FieldMessages>>
}

/** Checks the configuration of a domain; reference api-objects §8.3. Errors of the list are by place in the input. */
export function checkDomainConfig(input: Readonly<Record<string, unknown>>): CheckedDomainConfig {
  const errors: Record<string, FieldMessages> = unknownKeyErrors(input, (key) => keys.includes(key))
  if (!Object.hasOwn(input, 'spf_whitelist')) return { spfWhitelist: undefined, errors }
  const sent = input.spf_whitelist
  const entries: unknown[] = Array.isArray(sent) ? sent : [sent]
  if (entries.length > mostEntries) {
    return {
      spfWhitelist: undefined,
      errors: { ...errors, spf_whitelist: message('domains.spf-too-many', { max: mostEntries }) },
    }
  }
  const names: string[] = []
  const problems = new Map<number, Message>()
  for (const [index, entry] of entries.entries()) {
    const name = readEntry(entry)
    if (name === undefined) problems.set(index, message('domains.spf-entry-invalid'))
    else if (name !== '') names.push(name)
  }
  const spfWhitelist = [...new Set(names)]
  return problems.size === 0
    ? { spfWhitelist, errors }
    : { spfWhitelist, errors: { ...errors, spf_whitelist: problems } }
}

/** One entry in its canonical form; blank ones are dropped, undefined: it is none. */
function readEntry(entry: unknown): string | undefined {
  if (entry === null || entry === undefined) return ''
  if (typeof entry !== 'string') return undefined
  const text = entry.trim().replace(/\.+$/, '')
  if (text === '') return ''
  const name = text.startsWith('.') ? normaliseDomain(text.slice(1)) : undefined
  return name && `.${name}`
}

/** Sets the configuration: all keys that were sent, or none. Throws ValidationError. */
export async function configureDomain(
  parts: Pick<DomainParts, 'db' | 'clock'>,
  seen: Domain,
  input: Readonly<Record<string, unknown>>,
  by: Actor,
): Promise<void> {
  const { spfWhitelist, errors } = checkDomainConfig(input)
  if (Object.keys(errors).length > 0) throw new ValidationError(errors)
  if (spfWhitelist === undefined) return
  await parts.db.transaction().execute(async (trx) => {
    const domain = await holdDomain(trx, seen.id)
    if (domain === undefined || domain.deletedAt !== null) throw new NotFound()
    const data = differences({ spf_whitelist: domain.spfWhitelist }, { spf_whitelist: spfWhitelist })
    if (data === undefined) return
    await writeDomain(trx, domain.id, { spf_whitelist: spfWhitelist, updated_at: parts.clock.now() })
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
