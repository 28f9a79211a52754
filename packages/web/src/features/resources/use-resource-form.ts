import type { ResourceDetail } from '@gatehouse/contract/directory/resources'
import { useQueryClient } from '@tanstack/react-query'
import { forgetKind } from '../../domain/directory/kind.ts'
import { useRevisedForm } from '../../domain/revised-form/use-revised-form.ts'
import { call } from '../../platform/api/api.ts'
import { toasts } from '../../ui/toasts/store.ts'
import { resourceKind, resourceQuery } from './resource-kind.ts'

/** The name of a resource, as its form has it. */
export interface ResourceValues {
  name: string
}

/** The form of the General tab. */
export function useResourceForm(resource: ResourceDetail) {
  const client = useQueryClient()
  return useRevisedForm<ResourceDetail, ResourceValues>({
    detail: resource,
    valuesOf: ({ name }) => ({ name }),
    save: async ({ name }, revision) => {
      const { message } = await call('PUT /api/v4/resources/{id}', {
        params: { id: String(resource.id) },
        body: { ...(name !== undefined && { name: name.trim() || null }), revision },
        ignoreErrors: true,
      })
      toasts.success(message)
    },
    reread: async () => {
      const fresh = await client.fetchQuery({ ...resourceQuery(resource.id), staleTime: 0 })
      forgetKind(client, resourceKind)
      return fresh
    },
  })
}
