import { domainStatus, domainType, userStatus } from '@gatehouse/contract/status'
import { sql } from 'kysely'
import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import { newUuid } from '../../platform/ids.ts'
import { systemTenant } from '../../platform/tenant.ts'
import type { TenantUrl } from '../../tenants/tenant-address.ts'
import { syncNames } from '../../tenants/tenant-names.ts'
import { createDomain } from '../../users/addresses/domain-store.ts'
import type { EmailAddress } from '../../users/addresses/email-address.ts'
import { createUser } from '../../users/create-user.ts'

export interface NewTenant {
  readonly title: string
  /** The first reseller. */
  readonly reseller: EmailAddress
  readonly passwordHash: string
  /** Everybody may sign up in it. */
  readonly domain: string
  /** Where its customers find it, to be proved like one that is set later; absent: where those of the service do. */
  readonly url?: TenantUrl
  readonly language: string
  readonly currency: string
}

/** The domain is taken. */
export class TenantDomainTaken extends Error {
  override name = 'TenantDomainTaken'
}

/**
 * Makes a tenant: what the service sells now, a public domain, the first reseller, whose wallet becomes the tenant's and
 * stays it whoever works there later, and settings; reference api-billing-admin §17. Call it in a transaction. Throws
 * AddressTaken, TenantDomainTaken, HostTaken.
 */
export async function createTenant(trx: Db, clock: Clock, tenant: NewTenant): Promise<number> {
  const { rows } = await sql<{ id: number }>`select coalesce(max(id), 0) + 1 as id from tenants`.execute(trx)
  const id = rows[0]?.id ?? 1
  const { title, domain, url } = tenant
  const settings = {
    'app.name': title,
    ...(url && { 'app.url': url.origin, 'app.public_url': url.origin }),
    'mail.sender.address': `noreply@${domain}`,
    'mail.sender.name': title,
    'mail.replyto.address': `noreply@${domain}`,
    'mail.replyto.name': title,
  }
  await trx
    .insertInto('tenants')
    .values({ id, title, settings: JSON.stringify(settings) })
    .execute()
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
  await trx.updateTable('tenants').set({ wallet_id: reseller.walletId }).where('id', '=', id).execute()
  return id
}

/** What the service sells, whole: prices, fees, free units, and every setting of the plans. */
async function copyCatalogue(trx: Db, tenantId: number): Promise<void> {
  const from = systemTenant
  // one number for each, so that what refers to it finds the copy
  const ids = async (table: 'skus' | 'packages' | 'plans', active: boolean) => {
    const query = trx.selectFrom(table).select('id').where('tenant_id', '=', from)
    const found = await (active ? query.where(sql<boolean>`active`, '=', true) : query).execute()
    return { old: found.map((row) => row.id), made: found.map(() => newUuid()) }
  }
  const skus = await ids('skus', true)
  const packages = await ids('packages', false)
  const plans = await ids('plans', false)
  const map = ({ old, made }: typeof skus) => sql`unnest(${old}::uuid[], ${made}::uuid[])`
  await sql`insert into skus (id, tenant_id, title, name, description, cost, fee, units_free, period, handler, active)
    select m.made, ${tenantId}, s.title, s.name, s.description, s.cost, s.fee, s.units_free, s.period, s.handler, true
    from ${map(skus)} m (old, made) join skus s on s.id = m.old`.execute(trx)
  await sql`insert into packages (id, tenant_id, title, name, description, discount_rate)
    select m.made, ${tenantId}, p.title, p.name, p.description, p.discount_rate
    from ${map(packages)} m (old, made) join packages p on p.id = m.old`.execute(trx)
  await sql`insert into package_skus (package_id, sku_id, qty, cost)
    select p.made, s.made, l.qty, l.cost from package_skus l
      join ${map(packages)} p (old, made) on p.old = l.package_id
      join ${map(skus)} s (old, made) on s.old = l.sku_id`.execute(trx)
  await sql`insert into plans (id, tenant_id, title, name, description, mode, months, free_months, hidden, position)
    select m.made, ${tenantId}, p.title, p.name, p.description, p.mode, p.months, p.free_months, p.hidden, p.position
    from ${map(plans)} m (old, made) join plans p on p.id = m.old`.execute(trx)
  await sql`insert into plan_packages (plan_id, package_id, qty, qty_min, qty_max)
    select p.made, k.made, l.qty, l.qty_min, l.qty_max from plan_packages l
      join ${map(plans)} p (old, made) on p.old = l.plan_id
      join ${map(packages)} k (old, made) on k.old = l.package_id`.execute(trx)
}
