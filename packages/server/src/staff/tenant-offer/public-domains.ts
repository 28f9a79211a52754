import { domainStatus, domainType } from '@gatehouse/contract/status'
import { type Actor, audit } from '../../platform/audit.ts'
import type { Db } from '../../platform/db/database.ts'
import type { DnsClient } from '../../platform/dns/dns-client.ts'
import { lookForText, type TextProof } from '../../platform/dns/text-proof.ts'
import { NotFound, ValidationError } from '../../platform/http/errors.ts'
import { provision } from '../../platform/provision/provision.ts'
import type { HostingConfig } from '../../platform/settings/hosting-settings.ts'
import type { SiteConfig } from '../../platform/settings/site-settings.ts'
import { systemTenant } from '../../platform/tenant.ts'
import { foreignSignupDomains } from '../../tenants/name-store.ts'
import { readOfferLimits } from '../../tenants/offer-limit-store.ts'
import { proofRecord } from '../../tenants/tenant-names.ts'
import { holdTenant, type TenantRow } from '../../tenants/tenant-store.ts'
import { isOwnableDomain, normaliseDomain } from '../../users/addresses/domain-name.ts'
import { createDomain, findDomain } from '../../users/addresses/domain-store.ts'
import type { OfferParts } from './change-catalogue.ts'
import {
  claimPublicDomain,
  dropClaim,
  noteClaimFailure,
  type PublicDomainRow,
  readPublicDomains,
  setOpen,
} from './public-domain-store.ts'

export interface PublicDomainParts extends OfferParts {
  readonly config: Pick<SiteConfig, 'domain'> & Pick<HostingConfig, 'reservedDomains'>
}

interface By {
  readonly actor: Actor
  /** Reason for the record. */
  readonly reason?: string
}

/**
 * Claims a domain for sign-up with a tenant. Reserves nothing: until a DNS record proves it, others can take
 * the name. Throws ValidationError at `domain`.
 */
export async function askForDomain(
  parts: PublicDomainParts,
  tenant: TenantRow,
  text: string,
  { actor }: By,
): Promise<PublicDomainRow> {
  const { db, clock } = parts
  const namespace = normaliseDomain(text)
  if (namespace === undefined) throw ValidationError.at('domain', 'validation.domaininvalid')
  return db.transaction().execute(async (trx) => {
    await requireRoom(trx, tenant.id)
    await requireFree(trx, parts, tenant.id, namespace)
    if (!(await claimPublicDomain(trx, clock, tenant.id, namespace)))
      throw ValidationError.at('domain', 'tenant-offer.domain-there')
    await note(trx, parts, tenant.id, 'public-domain-added', namespace, { actor })
    return readOne(trx, tenant.id, namespace)
  })
}

/** Checks a domain's proof in the DNS, and opens the domain if found. Throws NotFound, ValidationError. */
export async function checkDomain(
  parts: PublicDomainParts & { readonly dns: DnsClient },
  tenant: TenantRow,
  namespace: string,
  by: By,
): Promise<TextProof> {
  const { db, clock, dns } = parts
  const domain = await readOne(db, tenant.id, namespace)
  if (domain.state !== 'waiting') return 'given'
  const record = proofRecord(namespace, tenant.proofToken)
  const proof = await lookForText(dns, record.name, record.value)
  if (proof === 'given') await openDomain(parts, tenant.id, namespace, by)
  else await noteClaimFailure(db, clock, { tenantId: tenant.id, namespace, failure: proof })
  return proof
}

/**
 * Opens a claimed domain whose proof was found or waived. The first claim to be verified gets the name. Throws
 * NotFound, ValidationError at `domain`.
 */
export async function openDomain(
  parts: PublicDomainParts,
  tenantId: number,
  namespace: string,
  by: By,
): Promise<void> {
  await parts.db.transaction().execute(async (trx) => {
    if (!(await dropClaim(trx, tenantId, namespace))) throw new NotFound()
    await requireFree(trx, parts, tenantId, namespace)
    await createPublicDomain(trx, parts, tenantId, namespace)
    await note(trx, parts, tenantId, 'public-domain-confirmed', namespace, by)
  })
}

/**
 * Creates a public domain directly. Call it in a transaction. Throws ValidationError at `domain` if the name
 * is taken.
 */
export async function createPublicDomain(
  trx: Db,
  { clock }: Pick<OfferParts, 'clock'>,
  tenantId: number,
  namespace: string,
): Promise<void> {
  const status = domainStatus.active | domainStatus.confirmed | domainStatus.verified
  const facts = { tenantId, namespace, type: domainType.public, status, walletId: null }
  const id = await createDomain(trx, clock, facts)
  if (id === undefined) throw ValidationError.at('domain', 'validation.domainnotavailable')
  await provision(trx, { kind: 'domain', id })
}

/**
 * Closes a domain for sign-up, or reopens it; users keep their addresses. Throws NotFound, ValidationError.
 */
export async function changeOpen(
  parts: OfferParts,
  tenantId: number,
  domain: { readonly namespace: string; readonly isOpen: boolean },
  by: By,
): Promise<void> {
  const { namespace, isOpen } = domain
  await parts.db.transaction().execute(async (trx) => {
    const before = await readOne(trx, tenantId, namespace)
    if (before.state === 'waiting') throw new NotFound()
    if (isOpen && before.state === 'closed') await requireRoom(trx, tenantId)
    if (!(await setOpen(trx, parts.clock, { tenantId, ...domain }))) return
    const states = { before: { open: !isOpen }, after: { open: isOpen } }
    await note(trx, parts, tenantId, 'public-domain-changed', namespace, by, states)
  })
}

/** Withdraws the claim of an unverified domain. Throws NotFound. */
export async function giveUpDomain(
  parts: OfferParts,
  tenantId: number,
  namespace: string,
  by: By,
): Promise<void> {
  await parts.db.transaction().execute(async (trx) => {
    if (!(await dropClaim(trx, tenantId, namespace))) throw new NotFound()
    await note(trx, parts, tenantId, 'public-domain-removed', namespace, by)
  })
}

/** Locks the tenant, so that concurrent requests can't exceed the limit. */
async function requireRoom(trx: Db, tenantId: number): Promise<void> {
  if ((await holdTenant(trx, tenantId)) === undefined) throw new NotFound()
  const limits = await readOfferLimits(trx, tenantId)
  if (limits === null) return
  const used = (await readPublicDomains(trx, tenantId)).filter(({ state }) => state !== 'closed')
  const max = limits.publicDomains
  if (used.length >= max) throw ValidationError.at('domain', 'tenant-offer.too-many-domains', { max })
}

/** Not a customer's, another tenant's, or a name of the installation. */
async function requireFree(
  trx: Db,
  { config }: PublicDomainParts,
  tenantId: number,
  namespace: string,
): Promise<void> {
  const own = await foreignSignupDomains(trx, tenantId)
  // the service may open its own host name
  if (tenantId !== systemTenant) own.push(config.domain)
  if (!isOwnableDomain(namespace, { own, reserved: config.reservedDomains }))
    throw ValidationError.at('domain', 'validation.domaininvalid')
  const found = await findDomain(trx, namespace)
  if (found === undefined) return
  const isOwn = found.tenantId === tenantId && found.isPublic && found.deletedAt === null
  throw ValidationError.at('domain', isOwn ? 'tenant-offer.domain-there' : 'validation.domainnotavailable')
}

async function readOne(db: Db, tenantId: number, namespace: string): Promise<PublicDomainRow> {
  const [found] = await readPublicDomains(db, tenantId, namespace)
  if (found === undefined) throw new NotFound()
  return found
}

async function note(
  trx: Db,
  { clock }: Pick<OfferParts, 'clock'>,
  tenantId: number,
  what: string,
  name: string,
  { actor, reason }: By,
  data: Record<string, unknown> = {},
): Promise<void> {
  await audit(trx, clock, {
    ...{ tenantId, objectType: 'tenant', objectId: tenantId, actor, event: `tenant.${what}` },
    ...(reason !== undefined && { comment: reason }),
    data: { name, ...data },
  })
}
