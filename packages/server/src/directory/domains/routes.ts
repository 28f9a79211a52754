import type { ObjectStatusInfo } from '@gatehouse/contract/directory/directory'
import { after, day } from '../../platform/clock.ts'
import type { Api } from '../../platform/http/api.ts'
import type { RequestFacts } from '../../platform/http/call.ts'
import type { Principal } from '../../platform/http/callers/principal.ts'
import { skusOfObject } from '../../subscriptions/skus-of-object.ts'
import { requireOwn } from '../../users/access.ts'
import { accountStatus } from '../../users/account-view/account-view.ts'
import { actorOf } from '../../users/actor.ts'
import { canConfigure, canDelete, canRead, canRestore, isController } from '../../users/policy.ts'
import { requireDeletedDomain, requireDomain, requireDomainsOffered, requirePaid } from './access.ts'
import { checkDomainConfig, configureDomain } from './configure-domain.ts'
import { addDomain } from './create-domain.ts'
import { deleteDomain } from './delete-domain.ts'
import { checkOwnership, checkRecords, watchAgain } from './dns/check-domain.ts'
import { keysOf } from './dns/domain-keys.ts'
import { provisionAgain, refreshDomain, spendLook } from './dns/refresh-domain.ts'
import { type Domain, domainFlags, isConfirmed, ownedDomain } from './domain.ts'
import { listDomains } from './domain-list-store.ts'
import { domainFacts, domainPage } from './domain-page.ts'
import type { DomainParts } from './domain-parts.ts'
import { domainStatusInfo, presentReport } from './present.ts'
import { restoreDomain } from './restore-domain.ts'

/** Domains as resources of the API; reference api-objects §8. */
export function serveDomains(api: Api, parts: DomainParts): void {
  const { db, clock, config, views } = parts
  const withLdap = config.APP_LDAP

  const factsOf = (domain: Domain, request: Pick<RequestFacts, 't'>) => domainFacts(parts, domain, request)

  const detail = (domain: Domain, principal: Principal, request: RequestFacts) =>
    domainPage(parts, domain, principal, request)

  const confirm = async (
    principal: Principal,
    idText: string,
    request: RequestFacts,
  ): Promise<{ status: 'success' | 'error'; message: string; statusInfo?: ObjectStatusInfo }> => {
    const domain = await requireDomain(db, principal, idText, canRead)
    if (!isConfirmed(domain)) await spendLook(parts.throttle, domain)
    const seen = await checkOwnership(parts, domain, actorOf(principal, request))
    if (!isConfirmed(seen)) {
      await watchAgain(parts, seen)
      return { status: 'error', message: request.t('domains.confirm-error') }
    }
    const statusInfo = domainStatusInfo(seen, await factsOf(seen, request))
    return { status: 'success', message: request.t('domains.confirm-success'), statusInfo }
  }

  api.serve('GET /api/v4/domains', async ({ principal, query, t }) => {
    const context = { now: clock.now(), withLdap, retention: config.RETENTION_DAYS }
    const page = await listDomains(db, principal.userId, query, context)
    return { ...page, message: t('domains.search-found', { x: page.total }) }
  })

  api.serve('GET /api/v4/domains/{id}', async ({ principal, params, ...request }) =>
    detail(await requireDomain(db, principal, params.id, canRead), principal, request),
  )

  api.serveLate('POST /api/v4/domains', async (context) => {
    const { principal } = context
    const caller = await requireOwn(views, principal)
    const { tenantSkus } = await parts.presenter.facts(context, caller.user.tenantId)
    requireDomainsOffered(principal, caller, tenantSkus)
    requirePaid(accountStatus(caller))
    const id = await addDomain(parts, caller, context)
    return { status: 'success', message: context.t('domains.create-success'), id }
  })

  api.serve('DELETE /api/v4/domains/{id}', async ({ principal, params, t, ip }) => {
    const domain = await requireDomain(db, principal, params.id, canDelete)
    await deleteDomain(parts, domain, actorOf(principal, { ip }))
    return { status: 'success', message: t('domains.delete-success') }
  })

  api.serveLate('POST /api/v4/domains/{id}/restore', async ({ principal, params, t, ip }) => {
    const oldest = after(clock.now(), -config.RETENTION_DAYS * day)
    const domain = await requireDeletedDomain(db, principal, params.id, canRestore, oldest)
    requirePaid(domain.ownerStatus ?? 0)
    await restoreDomain(parts, domain, actorOf(principal, { ip }))
    return { status: 'success', message: t('domains.restore-success') }
  })

  api.serve('GET /api/v4/domains/{id}/skus', async ({ principal, params, language }) => {
    const domain = await requireDomain(db, principal, params.id, canRead)
    return skusOfObject(db, {
      object: { type: 'domain', id: domain.id },
      tenantId: domain.tenantId,
      isController: isController(principal.userId, ownedDomain(domain)),
      language,
    })
  })

  api.serve('GET /api/v4/domains/{id}/status', async ({ principal, params, query, ...request }) => {
    const domain = await requireDomain(db, principal, params.id, canRead)
    const answer = async (now: Domain) => ({
      ...domainStatusInfo(now, await factsOf(now, request)),
      ...domainFlags(now, withLdap),
    })
    if (query.refresh == null) return answer(domain)
    const flags = domainFlags(domain, withLdap)
    if (flags.isLdapReady === false) {
      await provisionAgain(db, domain)
      const waiting = { processState: 'waiting' as const, status: 'success' as const }
      return { ...(await answer(domain)), ...waiting, message: request.t('app.process-async') }
    }
    const shown = await answer(await refreshDomain(parts, domain, actorOf(principal, request)))
    const open = shown.process.find((step) => !step.state)
    if (open === undefined) {
      return { ...shown, status: 'success' as const, message: request.t('app.process-success') }
    }
    const message = request.t(`process-error-${open.label}` as 'process-error-domain-new') // every label has a text
    return { ...shown, status: 'error' as const, message }
  })

  api.serve('GET /api/v4/domains/{id}/confirm', ({ principal, params, ...request }) =>
    confirm(principal, params.id, request),
  )

  api.serveLate('POST /api/v4/domains/{id}/confirm', ({ principal, params, ...request }) =>
    confirm(principal, params.id, request),
  )

  api.serveLate('POST /api/v4/domains/{id}/dns-check', async ({ principal, params }) => {
    const domain = await requireDomain(db, principal, params.id, canRead)
    await spendLook(parts.throttle, domain)
    const checked = await checkRecords(parts, domain)
    return presentReport(checked, { setup: config.mailSetup, keys: await keysOf(parts.domainKeys, domain) })
  })

  api.serveConfig('POST /api/v4/domains/{id}/config', async ({ principal, params, t, ip, read }) => {
    const domain = await requireDomain(db, principal, params.id, canConfigure)
    const { found: spfWhitelist } = await read(checkDomainConfig)
    if (spfWhitelist !== undefined) {
      await configureDomain(parts, domain, spfWhitelist, actorOf(principal, { ip }))
    }
    return { status: 'success', message: t('domains.setconfig-success') }
  })
}
