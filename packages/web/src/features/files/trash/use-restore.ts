import type { TrashItem } from '@gatehouse/contract/files/file-history'
import { useQueryClient } from '@tanstack/react-query'
import { call } from '../../../platform/api/api.ts'
import { toasts } from '../../../ui/toasts/store.ts'
import { forgetFiles } from '../calls.ts'

/** Brings items back from the trash to where they were. */
export function useRestore(): (items: readonly TrashItem[]) => Promise<void> {
  const client = useQueryClient()
  return async (items) => {
    try {
      const ids = items.map(({ id }) => id)
      const { message } = await call('POST /api/v4/fs/trash/restore', { body: { ids } })
      toasts.success(message)
    } finally {
      await forgetFiles(client)
    }
  }
}
