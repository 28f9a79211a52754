import { displayAddress } from '@gatehouse/contract/canonical-address'
import type { FolderDetail } from '@gatehouse/contract/directory/folders'
import { useQueryClient } from '@tanstack/react-query'
import { useDeletedAddress } from '../../domain/deleted-address/use-deleted-address.ts'
import { forgetKind } from '../../domain/directory/kind.ts'
import { useRevisedForm } from '../../domain/revised-form/use-revised-form.ts'
import { call } from '../../platform/api/api.ts'
import { toasts } from '../../ui/toasts/store.ts'
import { folderKind, folderQuery } from './folder-kind.ts'

/** Name and aliases of a folder, as its form has them. */
export interface FolderValues {
  name: string
  aliases: string[]
}

/** The form of the General tab. */
export function useFolderForm(folder: FolderDetail) {
  const client = useQueryClient()
  const offer = useDeletedAddress()
  const edit = useRevisedForm<FolderDetail, FolderValues>({
    detail: folder,
    valuesOf: ({ name, aliases }) => ({ name, aliases: aliases.map(displayAddress) }),
    save: async ({ name, aliases }, revision) => {
      const { message } = await call('PUT /api/v4/shared-folders/{id}', {
        params: { id: String(folder.id) },
        body: { ...(name !== undefined && { name: name.trim() || null }), aliases, revision },
        ignoreErrors: true,
      })
      toasts.success(message)
    },
    guard: ({ aliases = [] }, send) => offer.guarded({ aliases }, send),
    reread: async () => {
      const fresh = await client.fetchQuery({ ...folderQuery(folder.id), staleTime: 0 })
      forgetKind(client, folderKind)
      return fresh
    },
  })
  return { ...edit, offer }
}
