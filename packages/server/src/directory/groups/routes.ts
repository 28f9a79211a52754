import type { Api } from '../../platform/http/api.ts'
import type { DirectoryParts } from '../directory-parts.ts'
import { isOffered } from '../kinds.ts'
import { changeObjectConfig } from '../objects/change-config.ts'
import { serveKind, succeeded } from '../serve-kind.ts'
import { createGroup } from './create-group.ts'
import { groupPage } from './present.ts'
import { membersMaySend, senderPolicy } from './sender-policy.ts'
import { updateGroup } from './update-group.ts'

const kind = 'group'

/** Distribution lists as resources of the API; reference api-objects §9. */
export function serveGroups(api: Api, parts: DirectoryParts): void {
  const offer = { isOffered: isOffered(kind, parts.config) }
  serveKind(api, parts, { kind, row: ({ members }) => ({ members }), page: groupPage })

  api.serveLate(
    'POST /api/v4/groups',
    async (context) => {
      const id = await createGroup(parts, context)
      return { ...succeeded(kind, 'create', context), id }
    },
    offer,
  )

  api.serveLate(
    'PUT /api/v4/groups/{id}',
    async (context) => {
      const revision = await updateGroup(parts, context)
      return { ...succeeded(kind, 'update', context), revision }
    },
    offer,
  )

  api.serveConfig(
    'POST /api/v4/groups/{id}/config',
    async (context) => {
      await changeObjectConfig(parts, context, [senderPolicy(parts.clock), membersMaySend(parts.clock)])
      return succeeded(kind, 'setconfig', context)
    },
    offer,
  )
}
