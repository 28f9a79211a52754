import type { Api } from '../../platform/http/api.ts'
import type { DirectoryParts } from '../directory-parts.ts'
import { isOffered } from '../kinds.ts'
import { changeObjectConfig } from '../objects/change-config.ts'
import { serveKind, succeeded } from '../serve-kind.ts'
import { folderAcl } from './acl.ts'
import { createFolder } from './create-folder.ts'
import { folderPage } from './present.ts'
import { updateFolder } from './update-folder.ts'

const kind = 'shared-folder'

/** Shared folders as resources of the API; reference api-objects §11. */
export function serveFolders(api: Api, parts: DirectoryParts): void {
  const offer = { isOffered: isOffered(kind, parts.config) }
  serveKind(api, parts, { kind, row: ({ folderType }) => ({ type: folderType ?? 'mail' }), page: folderPage })

  api.serveLate(
    'POST /api/v4/shared-folders',
    async (context) => {
      const id = await createFolder(parts, context)
      return { ...succeeded(kind, 'create', context), id }
    },
    offer,
  )

  api.serveLate(
    'PUT /api/v4/shared-folders/{id}',
    async (context) => {
      const revision = await updateFolder(parts, context)
      return { ...succeeded(kind, 'update', context), revision }
    },
    offer,
  )

  api.serveConfig(
    'POST /api/v4/shared-folders/{id}/config',
    async (context) => {
      await changeObjectConfig(parts, context, [folderAcl(parts.clock)])
      return succeeded(kind, 'setconfig', context)
    },
    offer,
  )
}
