import type { SuspensionReason } from '@gatehouse/contract/staff/staff-views'
import type { DirectoryParts } from '../directory/directory-parts.ts'
import { domainPage } from '../directory/domains/domain-page.ts'
import { restoreDomain } from '../directory/domains/restore-domain.ts'
import { folderPage } from '../directory/folders/present.ts'
import { groupPage } from '../directory/groups/present.ts'
import type { DirectoryKind } from '../directory/objects/object.ts'
import { restoreObject } from '../directory/objects/restore-object.ts'
import { resourcePage } from '../directory/resources/present.ts'
import type { Api } from '../platform/http/api.ts'
import type { RequestFacts } from '../platform/http/call.ts'
import type { Principal } from '../platform/http/callers/principal.ts'
import { NotFound } from '../platform/http/errors.ts'
import { actorOf } from '../users/actor.ts'
import { lastReason } from './event-log-store.ts'
import { listRequest } from './list-request.ts'
import { staffDomains, staffFolders, staffGroups, staffResources } from './object-list-store.ts'
import {
  aroundObject,
  requireCustomers,
  requireStaffDomain,
  requireStaffObject,
  suspendDomain,
  suspendGroup,
} from './staff-object.ts'
import { byOf, type StaffParts } from './staff-parts.ts'

/** Domains, lists, resources and folders in the cockpits; reference api-billing-admin §18. */
export function serveStaffObjects(api: Api, parts: StaffParts & DirectoryParts): void {
  serveDomains(api, parts)
  serveGroups(api, parts)
  serveMailboxes(api, parts)
}

type Parts = StaffParts & DirectoryParts

interface Acting extends Pick<RequestFacts, 'ip'> {
  readonly principal: Principal
}

interface Given {
  readonly comment?: string | null | undefined
  readonly reason?: SuspensionReason | null | undefined
}

/** Returns who suspends with their comment, and the kind of suspension for the record. */
function suspensionBy(request: Acting, { comment, reason }: Given) {
  return { ...byOf(actorOf(request.principal, request), comment), data: { reason: reason ?? 'other' } }
}

function serveDomains(api: Api, parts: Parts): void {
  const { db, config } = parts

  api.serve('GET /api/v4/domains @staff', async ({ principal, query, t }) => {
    const { wanted, scope, part } = await listRequest(db, principal, query)
    const page =
      wanted === undefined
        ? { list: [], count: 0, hasMore: false, page: part.page }
        : await staffDomains(db, wanted, scope, part, config.APP_LDAP)
    return { ...page, message: t('staff.search-found', { count: page.count }) }
  })

  api.serve('GET /api/v4/domains/{id} @staff', async ({ principal, params, ...request }) => {
    const domain = await requireStaffDomain(db, principal, params.id)
    const page = await domainPage(parts, domain, principal, request)
    const reason = page.isSuspended ? await lastReason(db, { type: 'domain', id: domain.id }) : undefined
    const isCustomers = domain.ownerId !== null && domain.deletedAt === null
    return {
      ...page,
      ...(await aroundObject(parts, principal, { kind: 'domain', id: domain.id }, domain)),
      suspension_reason: reason ?? null,
      canSuspend: isCustomers && !page.isSuspended,
      canUnsuspend: isCustomers && page.isSuspended,
    }
  })

  const suspend = async (request: Acting & { params: { id: string }; body: Given }, isSuspended: boolean) => {
    const domain = await requireStaffDomain(db, request.principal, request.params.id)
    requireCustomers(domain)
    const by = isSuspended
      ? suspensionBy(request, request.body)
      : byOf(actorOf(request.principal, request), request.body.comment)
    await suspendDomain(parts, domain, isSuspended, by)
  }

  api.serve('POST /api/v4/domains/{id}/suspend', async (request) => {
    await suspend(request, true)
    return { status: 'success', message: request.t('staff.suspend-domain') }
  })

  api.serve('POST /api/v4/domains/{id}/unsuspend', async (request) => {
    await suspend(request, false)
    return { status: 'success', message: request.t('staff.unsuspend-domain') }
  })

  api.serve('POST /api/v4/domains/{id}/restore @staff', async ({ principal, params, body, t, ip }) => {
    const domain = await requireStaffDomain(db, principal, params.id)
    if (domain.deletedAt === null || domain.deletedAt <= parts.retention.since()) throw new NotFound()
    await restoreDomain(parts, domain, actorOf(principal, { ip }), body.comment ?? undefined)
    return { status: 'success', message: t('staff.restored') }
  })
}

function serveGroups(api: Api, parts: Parts): void {
  const { db, config } = parts

  api.serve('GET /api/v4/groups @staff', async ({ principal, query, t }) => {
    const { wanted, scope, part } = await listRequest(db, principal, query)
    const page =
      wanted === undefined
        ? { list: [], count: 0, hasMore: false, page: part.page }
        : await staffGroups(db, wanted, scope, part, config.APP_LDAP)
    return { ...page, message: t('staff.search-found', { count: page.count }) }
  })

  api.serve('GET /api/v4/groups/{id} @staff', async (request) => {
    const group = await requireStaffObject(db, request.principal, 'group', request.params.id)
    const page = await groupPage(parts, group, request)
    const reason = page.isSuspended ? await lastReason(db, { type: 'group', id: group.id }) : undefined
    return {
      ...page,
      ...(await aroundObject(parts, request.principal, group, group)),
      suspension_reason: reason ?? null,
      canSuspend: group.deletedAt === null && !page.isSuspended,
      canUnsuspend: group.deletedAt === null && page.isSuspended,
    }
  })

  const suspend = async (
    request: Acting & { params: { id: string }; body: Given },
    name: 'suspend' | 'unsuspend',
  ) => {
    const group = await requireStaffObject(db, request.principal, 'group', request.params.id)
    const by =
      name === 'suspend'
        ? suspensionBy(request, request.body)
        : byOf(actorOf(request.principal, request), request.body.comment)
    await suspendGroup(parts, group, name, by)
  }

  api.serve('POST /api/v4/groups/{id}/suspend', async (request) => {
    await suspend(request, 'suspend')
    return { status: 'success', message: request.t('staff.suspend-group') }
  })

  api.serve('POST /api/v4/groups/{id}/unsuspend', async (request) => {
    await suspend(request, 'unsuspend')
    return { status: 'success', message: request.t('staff.unsuspend-group') }
  })

  api.serve('POST /api/v4/groups/{id}/restore @staff', async (request) => {
    await restore(parts, 'group', request)
    return { status: 'success', message: request.t('staff.restored') }
  })
}

function serveMailboxes(api: Api, parts: Parts): void {
  const { db, config } = parts

  api.serve('GET /api/v4/resources @staff', async ({ principal, query, t }) => {
    const { wanted, scope, part } = await listRequest(db, principal, query)
    const page =
      wanted === undefined
        ? { list: [], count: 0, hasMore: false, page: part.page }
        : await staffResources(db, wanted, scope, part, config.APP_LDAP)
    return { ...page, message: t('staff.search-found', { count: page.count }) }
  })

  api.serve('GET /api/v4/resources/{id} @staff', async (request) => {
    const resource = await requireStaffObject(db, request.principal, 'resource', request.params.id)
    return {
      ...(await resourcePage(parts, resource, request)),
      ...(await aroundObject(parts, request.principal, resource, resource)),
    }
  })

  api.serve('POST /api/v4/resources/{id}/restore @staff', async (request) => {
    await restore(parts, 'resource', request)
    return { status: 'success', message: request.t('staff.restored') }
  })

  api.serve('GET /api/v4/shared-folders @staff', async ({ principal, query, t }) => {
    const { wanted, scope, part } = await listRequest(db, principal, query)
    const page =
      wanted === undefined
        ? { list: [], count: 0, hasMore: false, page: part.page }
        : await staffFolders(db, wanted, scope, part, config.APP_LDAP)
    return { ...page, message: t('staff.search-found', { count: page.count }) }
  })

  api.serve('GET /api/v4/shared-folders/{id} @staff', async (request) => {
    const folder = await requireStaffObject(db, request.principal, 'shared-folder', request.params.id)
    return {
      ...(await folderPage(parts, folder, request)),
      ...(await aroundObject(parts, request.principal, folder, folder)),
    }
  })

  api.serve('POST /api/v4/shared-folders/{id}/restore @staff', async (request) => {
    await restore(parts, 'shared-folder', request)
    return { status: 'success', message: request.t('staff.restored') }
  })
}

async function restore(
  parts: Parts,
  kind: DirectoryKind,
  request: Acting & { readonly params: { readonly id: string }; readonly body: Given },
): Promise<void> {
  const object = await requireStaffObject(parts.db, request.principal, kind, request.params.id)
  if (object.deletedAt === null) throw new NotFound()
  const by = actorOf(request.principal, request)
  await restoreObject(parts, object, by, parts.retention.days, request.body.comment ?? undefined)
}
