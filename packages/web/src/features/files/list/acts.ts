import type { FileItem } from '@gatehouse/contract/files/file-items'
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useT } from '../../../i18n/i18n.ts'
import { call } from '../../../platform/api/api.ts'
import { offerUndo } from '../../../ui/toasts/offer-undo.ts'
import { toasts } from '../../../ui/toasts/store.ts'
import { type ActedItem, forgetFiles, orForget } from '../calls.ts'

/** The acts on items that have a way back. */
export interface Acts {
  /** Into another folder (null: the root); `shown` is the one whose list they stand in. */
  move: (items: readonly Placed[], parent: string | null, shown: string | null | undefined) => Promise<void>
  /** Into the trash. `onGone` comes before anything is read anew. */
  remove: (items: readonly ActedItem[], onGone?: () => unknown) => Promise<void>
}

export function useActs(): Acts {
  const t = useT()
  const client = useQueryClient()
  const undo = (message: string, back: () => Promise<unknown>) => {
    offerUndo(message, t('words.undo'), () => goBack(client, back))
  }
  return {
    move: async (items, parent, shown) => {
      const from = commonFolder(items, shown)
      const ids = items.map(({ id }) => id)
      const { message } = await orForget(client, () =>
        call('POST /api/v4/fs/move', { body: { ids, parent } }),
      )
      if (from === undefined) toasts.success(message)
      else undo(message, () => call('POST /api/v4/fs/move', { body: { ids, parent: from } }))
      await forgetFiles(client)
    },
    remove: async (items, onGone) => {
      const ids = items.map(({ id }) => id)
      const { message } = await orForget(client, () => call('POST /api/v4/fs/trash', { body: { ids } }))
      undo(message, () => call('POST /api/v4/fs/trash/restore', { body: { ids } }))
      await onGone?.()
      await forgetFiles(client)
    },
  }
}

async function goBack(client: QueryClient, back: () => Promise<unknown>): Promise<void> {
  try {
    await back()
  } finally {
    await forgetFiles(client)
  }
}

/** What is known of where an item lies: everything on its own page, the way to it in what a search has found. */
type Placed = ActedItem & {
  readonly parents?: readonly string[]
  readonly path?: readonly { readonly id: string }[]
}

/** The folder in which all of some items lie (null: the root); undefined: they have none in common. */
export function commonFolder(
  items: readonly Placed[],
  shown: string | null | undefined,
): string | null | undefined {
  const folders = new Set(
    items.map(({ parents, path }) => {
      if (parents) return parents[0] ?? null
      return path ? (path.at(-1)?.id ?? null) : shown
    }),
  )
  const [only] = folders
  return folders.size === 1 ? only : undefined
}

/** Whether items may be put into a folder: not into themselves, and only where all of them may go. */
export function canMoveInto(items: readonly FileItem[], folder: string | null): boolean {
  return items.length > 0 && items.every(({ id, canUpdate }) => canUpdate && id !== folder)
}
