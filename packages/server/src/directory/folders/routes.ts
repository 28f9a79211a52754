import type { Api } from '../../platform/http/api.ts'
import { canRead } from '../../users/policy.ts'
import type { DirectoryParts } from '../directory-parts.ts'
import { isOffered } from '../kinds.ts'
import { changeObjectConfig } from '../objects/change-config.ts'
import { mailboxFlags } from '../objects/object.ts'
import { requireObject } from '../objects/object-access.ts'
import { objectStatus } from '../objects/object-detail.ts'
import { kindCalls } from '../serve-kind.ts'
import { folderAcl } from './acl.ts'
import { createFolder } from './create-folder.ts'
import { folderPage } from './present.ts'
import { updateFolder } from './update-folder.ts'

/** Shared folders as resources of the API; reference api-objects §11. */
export function serveFolders(api: Api, parts: DirectoryParts): void {
  const { config } = parts
  const calls = kindCalls(parts, 'shared-folder')
  const offer = { isOffered: isOffered('shared-folder', config) }

  api.serve(
    'GET /api/v4/shared-folders',
    (request) =>
      calls.list(request, (row, withLdap) => ({
        ...row.item,
        email: row.email,
        name: row.name,
        type: row.folderType ?? 'mail',
        ...mailboxFlags(row, withLdap),
      })),
    offer,
  )

  api.serve(
    'GET /api/v4/shared-folders/{id}',
    async (request) => {
      const { principal, params } = request
      const folder = await requireObject(parts, principal, { kind: 'shared-folder', id: params.id }, canRead)
      return folderPage(parts, folder, request)
    },
    offer,
  )

  api.serve(
    'GET /api/v4/shared-folders/{id}/status',
    async (request) => {
      const { object, info } = await objectStatus(parts, 'shared-folder', request)
      return { ...info, ...mailboxFlags(object, config.APP_LDAP) }
    },
    offer,
  )

  api.serve('GET /api/v4/shared-folders/{id}/skus', (request) => calls.skus(request), offer)

  api.serveLate(
    'POST /api/v4/shared-folders',
    async (context) => {
      const id = await createFolder(parts, context)
      return { status: 'success', message: context.t('directory.shared-folder-create-success'), id }
    },
    offer,
  )

  api.serveLate(
    'PUT /api/v4/shared-folders/{id}',
    async (context) => {
      const revision = await updateFolder(parts, context)
      return { status: 'success', message: context.t('directory.shared-folder-update-success'), revision }
    },
    offer,
  )

  api.serve(
    'DELETE /api/v4/shared-folders/{id}',
    async (request) => {
      await calls.remove(request)
      return { status: 'success', message: request.t('directory.shared-folder-delete-success') }
    },
    offer,
  )

  api.serveLate(
    'POST /api/v4/shared-folders/{id}/restore',
    async (context) => {
      await calls.restore(context)
      return { status: 'success', message: context.t('directory.shared-folder-restore-success') }
    },
    offer,
  )

  api.serveLate(
    'POST /api/v4/shared-folders/{id}/config',
    async (context) => {
      await changeObjectConfig(parts, context, folderAcl(parts.clock))
      return { status: 'success', message: context.t('directory.shared-folder-setconfig-success') }
    },
    offer,
  )
}
