import type { Clock } from '../../platform/clock.ts'
import type { DnsClient } from '../../platform/dns/dns-client.ts'
import type { SenderAuthentication } from '../list-access/sender-authentication.ts'
import type { HeaderField } from '../message/header-fields.ts'
import { headerValues } from '../message/header-fields.ts'
import { fromAddresses } from '../sender-authentication/from-addresses.ts'
import type { LookupLimits } from '../sender-authentication/lookups.ts'
import { checkSender } from '../sender-authentication/sender-check.ts'
import { trustedProof } from '../sender-authentication/trusted-results.ts'

/** The author of a message, as far as it's proved. */
export interface ProvenAuthor {
  /** The one address in From, canonical; null: none, or several. */
  readonly from: string | null
  /** Its domain if the message proves it; null: not proved. */
  readonly alignedDomain: string | null
  readonly authentication: SenderAuthentication | null
}

export interface AuthorCheckParts {
  readonly dns: DnsClient
  readonly clock: Clock
  /** The server whose `Authentication-Results` are believed. */
  readonly serverId: string | undefined
}

/** Look-ups of a check. A message that needs more proves nothing. */
const limits: LookupLimits = { time: 5000, questions: 30 }

/** The address of the client isn't known any more when a message is delivered. */
const withoutClient = { clientAddress: '', helo: '', sender: '' }
const withoutSpf = { check: async () => ({ result: 'none', domain: null, identity: 'mailfrom' }) as const }

/**
 * Finds out who is the author of a message that is being delivered: by what the own mail server says in the header, else
 * by DKIM. SPF needs the address of the client, so only the mail server can check it.
 */
export async function provenAuthor(
  message: Buffer,
  fields: readonly HeaderField[],
  { dns, clock, serverId }: AuthorCheckParts,
): Promise<ProvenAuthor> {
  const { only } = fromAddresses(headerValues(fields, 'From'))
  const known =
    serverId === undefined || only === null ? undefined : trustedProof(fields, serverId, only.domain)
  if (only !== null && known !== undefined) {
    return known
      ? provenBy('dmarc', only.full, only.domain)
      : { from: only.full, alignedDomain: null, authentication: null }
  }
  const found = await checkSender(message, withoutClient, { dns, clock, limits, spf: withoutSpf })
  return found.from === null || found.alignedDomain === null
    ? { from: found.from, alignedDomain: null, authentication: null }
    : provenBy('dkim', found.from, found.alignedDomain)
}

function provenBy(method: SenderAuthentication['method'], from: string, domain: string): ProvenAuthor {
  return { from, alignedDomain: domain, authentication: { method, domain } }
}
