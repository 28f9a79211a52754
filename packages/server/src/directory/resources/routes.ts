import type { Api } from '../../platform/http/api.ts'
import type { DirectoryParts } from '../directory-parts.ts'
import { isOffered } from '../kinds.ts'
import { changeObjectConfig } from '../objects/change-config.ts'
import { serveKind, succeeded } from '../serve-kind.ts'
import { createResource } from './create-resource.ts'
import { invitationPolicy } from './invitation-policy.ts'
import { resourcePage } from './present.ts'
import { updateResource } from './update-resource.ts'

const kind = 'resource'

/** Resources, such as rooms and cars, as resources of the API; reference api-objects §10. */
export function serveResources(api: Api, parts: DirectoryParts): void {
  const offer = { isOffered: isOffered(kind, parts.config) }
  serveKind(api, parts, { kind, row: () => ({}), page: resourcePage })

  api.serveLate(
    'POST /api/v4/resources',
    async (context) => {
      const id = await createResource(parts, context)
      return { ...succeeded(kind, 'create', context), id }
    },
    offer,
  )

  api.serveLate(
    'PUT /api/v4/resources/{id}',
    async (context) => {
      const revision = await updateResource(parts, context)
      return { ...succeeded(kind, 'update', context), revision }
    },
    offer,
  )

  api.serveConfig(
    'POST /api/v4/resources/{id}/config',
    async (context) => {
      await changeObjectConfig(parts, context, [invitationPolicy(parts.clock)])
      return succeeded(kind, 'setconfig', context)
    },
    offer,
  )
}
