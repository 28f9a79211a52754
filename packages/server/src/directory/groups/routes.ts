import type { Api } from '../../platform/http/api.ts'
import { canRead } from '../../users/policy.ts'
import type { DirectoryParts } from '../directory-parts.ts'
import { isOffered } from '../kinds.ts'
import { changeObjectConfig } from '../objects/change-config.ts'
import { groupFlags } from '../objects/object.ts'
import { requireObject } from '../objects/object-access.ts'
import { objectStatus } from '../objects/object-detail.ts'
import { kindCalls } from '../serve-kind.ts'
import { createGroup } from './create-group.ts'
import { groupPage } from './present.ts'
import { senderPolicy } from './sender-policy.ts'
import { updateGroup } from './update-group.ts'

/** Distribution lists as resources of the API; reference api-objects §9. */
export function serveGroups(api: Api, parts: DirectoryParts): void {
  const { config } = parts
  const calls = kindCalls(parts, 'group')
  const offer = { isOffered: isOffered('group', config) }

  api.serve(
    'GET /api/v4/groups',
    (request) =>
      calls.list(request, (row, withLdap) => ({
        ...row.item,
        email: row.email,
        name: row.name,
        members: row.members,
        ...groupFlags(row, withLdap),
      })),
    offer,
  )

  api.serve(
    'GET /api/v4/groups/{id}',
    async (request) => {
      const { principal, params } = request
      const group = await requireObject(parts, principal, { kind: 'group', id: params.id }, canRead)
      return groupPage(parts, group, request)
    },
    offer,
  )

  api.serve(
    'GET /api/v4/groups/{id}/status',
    async (request) => {
      const { object, info } = await objectStatus(parts, 'group', request)
      return { ...info, ...groupFlags(object, config.APP_LDAP) }
    },
    offer,
  )

  api.serve('GET /api/v4/groups/{id}/skus', (request) => calls.skus(request), offer)

  api.serveLate(
    'POST /api/v4/groups',
    async (context) => {
      const id = await createGroup(parts, context)
      return { status: 'success', message: context.t('directory.distlist-create-success'), id }
    },
    offer,
  )

  api.serveLate(
    'PUT /api/v4/groups/{id}',
    async (context) => {
      const revision = await updateGroup(parts, context)
      return { status: 'success', message: context.t('directory.distlist-update-success'), revision }
    },
    offer,
  )

  api.serve(
    'DELETE /api/v4/groups/{id}',
    async (request) => {
      await calls.remove(request)
      return { status: 'success', message: request.t('directory.distlist-delete-success') }
    },
    offer,
  )

  api.serveLate(
    'POST /api/v4/groups/{id}/restore',
    async (context) => {
      await calls.restore(context)
      return { status: 'success', message: context.t('directory.distlist-restore-success') }
    },
    offer,
  )

  api.serveLate(
    'POST /api/v4/groups/{id}/config',
    async (context) => {
      await changeObjectConfig(parts, context, senderPolicy(parts.clock))
      return { status: 'success', message: context.t('directory.distlist-setconfig-success') }
    },
    offer,
  )
}
