import { canonicalAddress } from '@gatehouse/contract/canonical-address'
import type { Db } from '../../platform/db/database.ts'
import { type Message, message } from '../../platform/http/errors.ts'
import { type AddressDomain, domainsByName, takenAddresses } from './address-store.ts'
import { normaliseDomain } from './domain-name.ts'
import { type EmailAddress, parseEmailAddress } from './email-address.ts'
import { isReservedName, localPartProblem } from './reserved-names.ts'

/** The account that a new address would belong to. */
export interface AddressAccount {
  readonly tenantId: number
  readonly ownerId: number
  /** If true, addresses in public domains are rejected. */
  readonly ownDomainsOnly?: boolean
}

/** An available address, or an error. */
export type CheckedAddress =
  | { readonly address: EmailAddress }
  | { readonly address?: undefined; readonly problem: Message }

/**
 * Letters, digits, dot, hyphen and underscore. Plus signs are reserved for subaddresses (`jane+shop@…` is
 * delivered to `jane@…`), and non-ASCII local parts are rejected everywhere.
 */
const plainLocal = /^[a-z0-9_.-]+$/

/**
 * Validates new addresses of a user, in the order of reference api-objects §7. Returns results in input order.
 * Whether an address is free may change until it is claimed.
 */
export async function checkNewAddresses(
  db: Db,
  account: AddressAccount,
  texts: readonly string[],
): Promise<CheckedAddress[]> {
  const parts = texts.map(splitAddress)
  const names = parts.flatMap((part) => (part?.domain === undefined ? [] : [part.domain]))
  const domains = await domainsByName(db, account.tenantId, [...new Set(names)])
  const checked = parts.map((part) => checkParts(part, domains, account))
  const wanted = checked.flatMap((one) => (one.address === undefined ? [] : [one.address.full]))
  const taken = await takenAddresses(db, [...new Set(wanted)])
  return checked.map((one) =>
    one.address !== undefined && taken.has(one.address.full) ? refuse('validation.entryexists') : one,
  )
}

/** Checks whether a user may have some addresses; returns results in input order. */
export type AddressCheck = (
  db: Db,
  account: AddressAccount,
  texts: readonly string[],
) => Promise<CheckedAddress[]>

/** Checks many addresses at once, for callers that request a few at a time. */
export async function checkBeforehand(
  db: Db,
  account: AddressAccount,
  texts: readonly string[],
): Promise<AddressCheck> {
  const all = [...new Set(texts)]
  const checked = await checkNewAddresses(db, account, all)
  const known = new Map(all.map((text, index) => [text, checked[index]]))
  return async (_db, _account, wanted) =>
    wanted.map((text) => known.get(text) ?? refuse('validation.entryinvalid'))
}

interface AddressParts {
  readonly local: string
  /** In ASCII; undefined if it isn't a valid domain name. */
  readonly domain: string | undefined
}

/** Splits an address at its single "@". */
function splitAddress(text: string): AddressParts | undefined {
  const [local = '', domain = '', ...more] = canonicalAddress(text).split('@')
  if (more.length > 0 || local === '' || domain === '') return undefined
  return { local, domain: normaliseDomain(domain) }
}

function checkParts(
  parts: AddressParts | undefined,
  domains: ReadonlyMap<string, AddressDomain>,
  account: AddressAccount,
): CheckedAddress {
  if (parts === undefined) return refuse('validation.entryinvalid')
  const domain = parts.domain === undefined ? undefined : domains.get(parts.domain)
  if (domain === undefined) return refuse('validation.domaininvalid')
  const address = parseEmailAddress(`${parts.local}@${domain.namespace}`)
  if (address === undefined || !plainLocal.test(parts.local)) return refuse('validation.entryinvalid')
  const unusable = localPartProblem(parts.local)
  if (unusable !== undefined) return refuse(unusable)
  if (domain.isPublic && account.ownDomainsOnly !== true) {
    return isReservedName(parts.local) ? refuse('validation.entryexists') : { address }
  }
  const problem = ownDomainProblem(domain, account)
  return problem === undefined ? { address } : { problem }
}

function ownDomainProblem(domain: AddressDomain, account: AddressAccount): Message | undefined {
  if (domain.isPublic || domain.ownerId !== account.ownerId) {
    return message('validation.domainnotavailable')
  }
  // users must not send mail from a domain before proving its ownership
  return domain.isConfirmed ? undefined : message('users.domain-unconfirmed')
}

/** Returns the account's domain with a name (confirmed, unless any will do), or the error. */
export async function checkOwnDomain(
  db: Db,
  account: AddressAccount,
  text: string,
  domains: 'confirmed' | 'any' = 'confirmed',
): Promise<{ readonly namespace: string } | { readonly namespace?: undefined; readonly problem: Message }> {
  const namespace = normaliseDomain(text)
  const found = namespace === undefined ? undefined : await domainsByName(db, account.tenantId, [namespace])
  const domain = found?.get(namespace ?? '')
  if (domain === undefined) return { problem: message('validation.domaininvalid') }
  const problem = ownDomainProblem(
    { ...domain, isConfirmed: domain.isConfirmed || domains === 'any' },
    account,
  )
  return problem === undefined ? { namespace: domain.namespace } : { problem }
}

function refuse(key: Message['key']): CheckedAddress {
  return { problem: message(key) }
}
