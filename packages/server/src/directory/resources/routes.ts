import type { Api } from '../../platform/http/api.ts'
import { canRead } from '../../users/policy.ts'
import type { DirectoryParts } from '../directory-parts.ts'
import { isOffered } from '../kinds.ts'
import { changeObjectConfig } from '../objects/change-config.ts'
import { mailboxFlags } from '../objects/object.ts'
import { requireObject } from '../objects/object-access.ts'
import { objectStatus } from '../objects/object-detail.ts'
import { kindCalls } from '../serve-kind.ts'
import { createResource } from './create-resource.ts'
import { invitationPolicy } from './invitation-policy.ts'
import { resourcePage } from './present.ts'
import { updateResource } from './update-resource.ts'

/** Resources, as rooms and cars, as resources of the API; reference api-objects §10. */
export function serveResources(api: Api, parts: DirectoryParts): void {
  const { config } = parts
  const calls = kindCalls(parts, 'resource')
  const offer = { isOffered: isOffered('resource', config) }

  api.serve(
    'GET /api/v4/resources',
    (request) =>
      calls.list(request, (row, withLdap) => ({
        ...row.item,
        email: row.email,
        name: row.name,
        ...mailboxFlags(row, withLdap),
      })),
    offer,
  )

  api.serve(
    'GET /api/v4/resources/{id}',
    async (request) => {
      const { principal, params } = request
      const resource = await requireObject(parts, principal, { kind: 'resource', id: params.id }, canRead)
      return resourcePage(parts, resource, request)
    },
    offer,
  )

  api.serve(
    'GET /api/v4/resources/{id}/status',
    async (request) => {
      const { object, info } = await objectStatus(parts, 'resource', request)
      return { ...info, ...mailboxFlags(object, config.APP_LDAP) }
    },
    offer,
  )

  api.serve('GET /api/v4/resources/{id}/skus', (request) => calls.skus(request), offer)

  api.serveLate(
    'POST /api/v4/resources',
    async (context) => {
      const id = await createResource(parts, context)
      return { status: 'success', message: context.t('directory.resource-create-success'), id }
    },
    offer,
  )

  api.serveLate(
    'PUT /api/v4/resources/{id}',
    async (context) => {
      const revision = await updateResource(parts, context)
      return { status: 'success', message: context.t('directory.resource-update-success'), revision }
    },
    offer,
  )

  api.serve(
    'DELETE /api/v4/resources/{id}',
    async (request) => {
      await calls.remove(request)
      return { status: 'success', message: request.t('directory.resource-delete-success') }
    },
    offer,
  )

  api.serveLate(
    'POST /api/v4/resources/{id}/restore',
    async (context) => {
      await calls.restore(context)
      return { status: 'success', message: context.t('directory.resource-restore-success') }
    },
    offer,
  )

  api.serveLate(
    'POST /api/v4/resources/{id}/config',
    async (context) => {
      await changeObjectConfig(parts, context, invitationPolicy(parts.clock))
      return { status: 'success', message: context.t('directory.resource-setconfig-success') }
    },
    offer,
  )
}
