import type { PublicDomain } from '@gatehouse/contract/staff/tenant-sign-up'
import { wireDate } from '../../platform/clock.ts'
import type { DnsClient } from '../../platform/dns/dns-client.ts'
import type { TextProof } from '../../platform/dns/text-proof.ts'
import type { Api } from '../../platform/http/api.ts'
import { Forbidden } from '../../platform/http/errors.ts'
import type { MessageKey } from '../../platform/i18n/translator.ts'
import { systemTenant } from '../../platform/tenant.ts'
import type { Throttle } from '../../platform/throttle/throttle.ts'
import { mayConfirmNames } from '../../tenants/policy.ts'
import { requireTenant } from '../../tenants/require-tenant.ts'
import { portalOrigin, proofRecord } from '../../tenants/tenant-names.ts'
import { readTenantSite, type TenantRow } from '../../tenants/tenant-store.ts'
import { actorOf } from '../../users/actor.ts'
import { nameChecks } from '../tenants/name-routes.ts'
import { type PublicDomainRow, readPublicDomains } from './public-domain-store.ts'
import {
  askForDomain,
  changeOpen,
  checkDomain,
  giveUpDomain,
  openDomain,
  type PublicDomainParts,
} from './public-domains.ts'

export interface PublicDomainRouteParts extends Omit<PublicDomainParts, 'config'> {
  readonly config: PublicDomainParts['config'] & { readonly APP_URL: string }
  readonly dns: DnsClient
  readonly throttle: Throttle
}

const outcomes: Readonly<Record<TextProof, MessageKey>> = {
  given: 'tenants.name-confirmed',
  absent: 'tenants.name-absent',
  different: 'tenants.name-different',
  alias: 'tenants.name-alias',
  unreachable: 'tenants.name-unreachable',
}

/** Domains available for sign-up with a tenant. */
export function servePublicDomains(api: Api, parts: PublicDomainRouteParts): void {
  const { db, config } = parts

  api.serve('GET /api/v4/tenants/{id}/public-domains', async ({ principal, params }) => {
    const tenant = await requireTenant(db, principal, params.id)
    const rows = await readPublicDomains(db, tenant.id)
    return {
      list: rows.map((row) => present(row, tenant)),
      canConfirm: mayConfirmNames(principal),
      signupUrl: await signupUrl(tenant.id),
    }
  })

  /** Null: sign-up needs a host of the tenant first. */
  const signupUrl = async (tenantId: number): Promise<string | null> => {
    if (tenantId === systemTenant) return `${config.APP_URL}/signup`
    const site = await readTenantSite(db, tenantId)
    const origin = site && portalOrigin(site.settings, site.hosts)
    return origin === undefined
      ? null
      : `${origin}${new URL(config.APP_URL).pathname.replace(/\/+$/, '')}/signup`
  }

  api.serveLate('POST /api/v4/tenants/{id}/public-domains', async ({ principal, params, read, t, ip }) => {
    const tenant = await requireTenant(db, principal, params.id)
    const row = await askForDomain(parts, tenant, read().domain, { actor: actorOf(principal, { ip }) })
    return { status: 'success', message: t('tenant-offer.domain-added'), domain: present(row, tenant) }
  })

  api.serve(
    'POST /api/v4/tenants/{id}/public-domains/{domain}/check',
    async ({ principal, params, t, ip }) => {
      const tenant = await requireTenant(db, principal, params.id)
      await parts.throttle.spend({ kind: 'tenant-name', account: tenant.id, limits: nameChecks })
      const proof = await checkDomain(parts, tenant, params.domain, { actor: actorOf(principal, { ip }) })
      const status = proof === 'given' ? 'success' : 'error'
      return { status, message: t(outcomes[proof], { name: params.domain }) }
    },
  )

  api.serveLate(
    'POST /api/v4/tenants/{id}/public-domains/{domain}/confirm',
    async ({ principal, params, read, t, ip }) => {
      const { id } = await requireTenant(db, principal, params.id)
      if (!mayConfirmNames(principal)) throw new Forbidden()
      const { reason } = read()
      await openDomain(parts, id, params.domain, { actor: actorOf(principal, { ip }), reason })
      return { status: 'success', message: t('tenants.name-confirmed', { name: params.domain }) }
    },
  )

  api.serveLate(
    'PUT /api/v4/tenants/{id}/public-domains/{domain}',
    async ({ principal, params, read, t, ip }) => {
      const { id } = await requireTenant(db, principal, params.id)
      const { open: isOpen } = read()
      const by = { actor: actorOf(principal, { ip }) }
      await changeOpen(parts, id, { namespace: params.domain, isOpen }, by)
      const text = isOpen ? 'tenant-offer.domain-opened' : 'tenant-offer.domain-closed'
      return { status: 'success', message: t(text, { name: params.domain }) }
    },
  )

  api.serve('DELETE /api/v4/tenants/{id}/public-domains/{domain}', async ({ principal, params, t, ip }) => {
    const { id } = await requireTenant(db, principal, params.id)
    await giveUpDomain(parts, id, params.domain, { actor: actorOf(principal, { ip }) })
    return { status: 'success', message: t('tenant-offer.domain-removed', { name: params.domain }) }
  })
}

function present(row: PublicDomainRow, { proofToken: token }: TenantRow): PublicDomain {
  const { namespace: name, state, failure: reason, checkedAt, createdAt } = row
  return {
    ...{ name, state, reason },
    checked_at: checkedAt === null ? null : wireDate(checkedAt),
    created_at: wireDate(createdAt),
    record: state === 'waiting' ? proofRecord(name, token) : null,
  }
}
