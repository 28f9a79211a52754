import { domainStatus, domainType, userStatus } from '@gatehouse/contract/status'
import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import type { TenantUrl } from '../../tenants/tenant-address.ts'
import { syncNames } from '../../tenants/tenant-names.ts'
import { createDomain } from '../../users/addresses/domain-store.ts'
import type { EmailAddress } from '../../users/addresses/email-address.ts'
import { createUser } from '../../users/create-user.ts'
import { copyCatalogue, insertTenant, nextTenantId, setTenantWallet } from './new-tenant-store.ts'

export interface NewTenant {
  readonly title: string
  /** The first reseller. */
  readonly reseller: EmailAddress
  readonly passwordHash: string
  /** Public domain for sign-up. */
  readonly domain: string
  /** URL of the tenant's portal, verified like one set later; if absent, the service's is used. */
  readonly url?: TenantUrl
  readonly language: string
  readonly currency: string
}

/** The domain is taken. */
export class TenantDomainTaken extends Error {
  override name = 'TenantDomainTaken'
}

/**
 * Creates a tenant: a copy of the service's catalogue, a public domain, settings, and the first reseller,
 * whose wallet becomes the tenant's permanently; reference api-billing-admin §17. Call it in a transaction.
 * Throws AddressTaken, TenantDomainTaken, HostTaken.
 */
export async function createTenant(trx: Db, clock: Clock, tenant: NewTenant): Promise<number> {
  const id = await nextTenantId(trx)
  const { title, domain, url } = tenant
  const settings = {
    'app.name': title,
    ...(url && { 'app.url': url.origin, 'app.public_url': url.origin }),
    'mail.sender.address': `noreply@${domain}`,
    'mail.sender.name': title,
    'mail.replyto.address': `noreply@${domain}`,
    'mail.replyto.name': title,
  }
  await insertTenant(trx, id, title, settings)
  await syncNames(trx, clock, { id, settings }, Object.keys(settings))
  await copyCatalogue(trx, id)
  const namespace = await createDomain(trx, clock, {
    tenantId: id,
    namespace: domain,
    type: domainType.public,
    status: domainStatus.active | domainStatus.confirmed | domainStatus.verified,
    walletId: null,
  })
  if (namespace === undefined) throw new TenantDomainTaken(domain)
  const reseller = await createUser(trx, clock, {
    tenantId: id,
    email: tenant.reseller,
    passwordHash: tenant.passwordHash,
    role: 'reseller',
    // staff have no mailbox, so there is nothing to set up
    status: userStatus.new | userStatus.active | userStatus.imapReady | userStatus.ldapReady,
    language: tenant.language,
    currency: tenant.currency,
    settings: {},
  })
  await setTenantWallet(trx, id, reseller.walletId)
  return id
}
