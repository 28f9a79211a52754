import type { TrashItem } from '@gatehouse/contract/files/file-history'
import { useQueryClient } from '@tanstack/react-query'
import { useAct } from '../../../platform/api/use-act.ts'
import { forgetFiles } from '../calls.ts'

/** Restores items from the trash to their former location. */
export function useRestore(): (items: readonly TrashItem[]) => Promise<void> {
  const client = useQueryClient()
  const restore = useAct('POST /api/v4/fs/trash/restore')
  return async (items) => {
    try {
      await restore({ body: { ids: items.map(({ id }) => id) } })
    } finally {
      await forgetFiles(client)
    }
  }
}
