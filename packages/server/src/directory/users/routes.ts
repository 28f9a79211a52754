import type { Actor } from '../../platform/audit.ts'
import type { DnsClient } from '../../platform/dns/dns-client.ts'
import type { Api } from '../../platform/http/api.ts'
import type { ObjectRef } from '../../platform/provision/object-ref.ts'
import { provision } from '../../platform/provision/provision.ts'
import type { FeatureSettings } from '../../platform/settings/feature-settings.ts'
import type { HostingConfig } from '../../platform/settings/hosting-settings.ts'
import type { SiteConfig } from '../../platform/settings/site-settings.ts'
import type { Throttle } from '../../platform/throttle/throttle.ts'
import { presentMailStorage } from '../../provisioning/present-storage.ts'
import { readMailStorage } from '../../provisioning/usage-store.ts'
import { readProtectionKinds } from '../../sessions/second-factor/factor-store.ts'
import { requireOwn, requireUser } from '../../users/access.ts'
import type { AccountView } from '../../users/account-view/account-view.ts'
import type { AccountViews } from '../../users/account-view/account-views.ts'
import { presentFlags, presentStatusInfo } from '../../users/account-view/present.ts'
import type { UserPresenter } from '../../users/account-view/presenter.ts'
import { nextStep, type ProcessStep } from '../../users/account-view/setup-process.ts'
import { actorOf } from '../../users/actor.ts'
import { accountEvents, objectEvents, signInEvents } from '../../users/events/event-list.ts'
import { accountFeed } from '../../users/events/feed.ts'
import { canRead, canReadEvents, canUpdate, mayChangeAccess } from '../../users/policy.ts'
import type { Retention } from '../../users/retention.ts'
import type { DomainKeys } from '../domains/dns/domain-keys.ts'
import { refreshDomainStep } from '../domains/dns/refresh-domain.ts'
import { createMember } from './create-member.ts'
import { listFacts, type ReadStorage, summariseUsers } from './list-facts.ts'
import { type FreshParts, updateUser } from './update-user.ts'
import { listUsers } from './user-list-store.ts'
import type { UserParts } from './user-parts.ts'

export interface AccountParts extends UserParts, FreshParts {
  readonly config: SiteConfig & FeatureSettings & HostingConfig
  readonly presenter: UserPresenter
  readonly views: AccountViews
  readonly retention: Retention
  readonly dns: DnsClient
  readonly domainKeys: DomainKeys
  readonly throttle: Throttle
  readonly storageOf: ReadStorage
}

/** Users as resources of the API; reference api-objects §4 and §6. */
export function serveAccounts(api: Api, parts: AccountParts): void {
  const { db, views, presenter } = parts

  const factParts = { ...parts, withWallets: parts.config.APP_WITH_WALLET }

  api.serve('GET /api/v4/users', async ({ principal, query, language }) => {
    const { APP_LDAP: withLdap } = parts.config
    const page = await listUsers(db, principal.userId, query, { withLdap, retention: parts.retention })
    if (query.facts !== '1') return page
    const ids = page.list.map(({ id }) => id)
    const known = await listFacts(factParts, principal, language, ids)
    return { ...page, list: page.list.map((row) => ({ ...row, facts: known.get(row.id) })) }
  })

  api.serve('GET /api/v4/users/summary', ({ principal }) => summariseUsers(factParts, principal.userId))

  api.serve('GET /api/v4/users/{id}', async ({ principal, params, ...request }) => {
    const view = await requireUser(views, principal, params.id, canRead)
    const [person, mailboxes] = await Promise.all([
      presenter.detail(view, principal, request),
      readMailStorage(db, [view.user.id]),
    ])
    const mail = mailboxes.get(view.user.id)
    const detail = { ...person, ...(mail && { mailStorage: presentMailStorage(mail) }) }
    if (view.user.id === principal.userId) return detail
    const [passwordLinkCode, factors] = await Promise.all([
      mayChangeAccess(principal) ? parts.codes.liveLink(view.user.id, principal.userId) : undefined,
      readProtectionKinds(db, view.user.id),
    ])
    return { ...detail, factors, ...(passwordLinkCode !== undefined && { passwordLinkCode }) }
  })

  api.serve('GET /api/v4/users/{id}/status', async ({ principal, params, query, ...request }) => {
    const view = await requireUser(views, principal, params.id, canRead)
    const facts = await presenter.facts(request, view.user.tenantId)
    const answerOf = (now: AccountView) => ({ ...presentStatusInfo(now, facts), ...presentFlags(now, facts) })
    if (query.refresh == null) return answerOf(view)
    const answer = answerOf(
      await refreshDomainOf(view, nextStep(answerOf(view)), actorOf(principal, request)),
    )
    const open = nextStep(answer)
    if (open === undefined) {
      return { ...answer, status: 'success' as const, message: request.t('app.process-success') }
    }
    const object = workOf(open.label, view)
    if (object !== undefined) {
      await provision(db, object)
      const processState = 'waiting' as const
      return { ...answer, processState, status: 'success' as const, message: request.t('app.process-async') }
    }
    const message = request.t(`process-error-${open.label}` as 'process-error-user-new') // every label has a text
    return { ...answer, status: 'error' as const, message }
  })

  /** Checks the DNS if the user's next step depends on the domain. Returns the updated view. */
  const refreshDomainOf = async (
    view: AccountView,
    next: ProcessStep | undefined,
    by: Actor,
  ): Promise<AccountView> => {
    if (!(await refreshDomainStep(parts, next?.label, view.domain?.id, by))) return view
    return (await views.read(view.user.id)) ?? view
  }

  api.serveLate('POST /api/v4/users', async (context) => {
    const caller = await requireOwn(views, context.principal)
    const id = await createMember(parts, caller, context)
    return { status: 'success', message: context.t('users.create-success'), id }
  })

  api.serveLate('PUT /api/v4/users/{id}', async (context) => {
    const { principal, params } = context
    const view = await requireUser(views, principal, params.id, canUpdate)
    const revision = await updateUser(parts, view, context)
    const answer = { status: 'success' as const, message: context.t('users.update-success'), revision }
    const changed = view.user.id === principal.userId ? await views.read(view.user.id) : undefined
    if (changed === undefined) return answer
    const facts = await presenter.facts(context, changed.user.tenantId)
    return { ...answer, statusInfo: presentStatusInfo(changed, facts) }
  })

  api.serve('GET /api/v4/events', ({ principal, query, t }) => accountEvents(db, principal.userId, query, t))
  api.serve('GET /api/v4/events/feed', ({ principal, query }) => accountFeed(db, principal.userId, query))

  api.serve('GET /api/v4/sign-ins', ({ principal, query, t }) => signInEvents(db, principal.userId, query, t))

  api.serve('GET /api/v4/users/{id}/events', async ({ principal, params, query, t }) => {
    const view = await requireUser(views, principal, params.id, canReadEvents)
    return objectEvents(db, { type: 'user', id: view.user.id }, query, t)
  })
}

/** Returns the object to provision for a step; undefined if no job of ours performs it. */
function workOf(label: string, view: AccountView): ObjectRef | undefined {
  if (label === 'user-imap-ready' || label === 'user-ldap-ready') return { kind: 'user', id: view.user.id }
  return label === 'domain-ldap-ready' && view.domain ? { kind: 'domain', id: view.domain.id } : undefined
}
