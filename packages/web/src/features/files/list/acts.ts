import type { FileItem } from '@gatehouse/contract/files/file-items'
import { useQueryClient } from '@tanstack/react-query'
import { call } from '../../../platform/api/api.ts'
import { reportDone } from '../../../platform/api/undo.ts'
import { type ActedItem, forgetFiles, orForget } from '../calls.ts'

/** Reversible actions on items. */
export interface Acts {
  /** Moves items into a folder (null: the root); `shown` is the folder whose list shows them. */
  move: (items: readonly Placed[], parent: string | null, shown: string | null | undefined) => Promise<void>
  /** Moves items to the trash. `onGone` is called before anything is refetched. */
  remove: (items: readonly ActedItem[], onGone?: () => unknown) => Promise<void>
}

export function useActs(): Acts {
  const client = useQueryClient()
  const forget = () => forgetFiles(client)
  return {
    move: async (items, parent, shown) => {
      const from = commonFolder(items, shown)
      const ids = items.map(({ id }) => id)
      const { message } = await orForget(client, () =>
        call('POST /api/v4/fs/move', { body: { ids, parent } }),
      )
      const back = from !== undefined && (() => call('POST /api/v4/fs/move', { body: { ids, parent: from } }))
      reportDone(message, back || undefined, forget)
      await forgetFiles(client)
    },
    remove: async (items, onGone) => {
      const ids = items.map(({ id }) => id)
      const { message } = await orForget(client, () => call('POST /api/v4/fs/trash', { body: { ids } }))
      reportDone(message, () => call('POST /api/v4/fs/trash/restore', { body: { ids } }), forget)
      await onGone?.()
      await forgetFiles(client)
    },
  }
}

/** What is known about an item's location: everything on its own page, its path in search results. */
type Placed = ActedItem & {
  readonly parents?: readonly string[]
  readonly path?: readonly { readonly id: string }[]
}

/** Returns the folder that contains all items (null: the root); undefined if there is none. */
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

/** Whether items can be moved into a folder: not into themselves, and only if all of them may go there. */
export function canMoveInto(items: readonly FileItem[], folder: string | null): boolean {
  return items.length > 0 && items.every(({ id, canUpdate }) => canUpdate && id !== folder)
}
