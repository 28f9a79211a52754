import { displayAddress } from '@gatehouse/contract/canonical-address'
import type { GroupDetail } from '@gatehouse/contract/directory/groups'
import { useQueryClient } from '@tanstack/react-query'
import { forgetKind } from '../../domain/directory/kind.ts'
import { useRevisedForm } from '../../domain/revised-form/use-revised-form.ts'
import { call } from '../../platform/api/api.ts'
import { toasts } from '../../ui/toasts/store.ts'
import { distlistKind, distlistQuery } from './distlist-kind.ts'

/** Name and members of a list, as its form has them. */
export interface DistlistValues {
  name: string
  members: string[]
}

/** The form of the General tab. */
export function useDistlistForm(list: GroupDetail) {
  const client = useQueryClient()
  return useRevisedForm<GroupDetail, DistlistValues>({
    detail: list,
    valuesOf: ({ name, members }) => ({ name, members: members.map(displayAddress) }),
    save: async ({ name, members }, revision) => {
      const { message } = await call('PUT /api/v4/groups/{id}', {
        params: { id: String(list.id) },
        body: { ...(name !== undefined && { name: name.trim() || null }), members, revision },
        ignoreErrors: true,
      })
      toasts.success(message)
    },
    reread: async () => {
      const fresh = await client.fetchQuery({ ...distlistQuery(list.id), staleTime: 0 })
      forgetKind(client, distlistKind)
      return fresh
    },
  })
}
