import type { FileItem } from '@gatehouse/contract/files/file-items'
import { useQueryClient } from '@tanstack/react-query'
import { call } from '../../../platform/api/api.ts'
import { tellDone } from '../../../platform/api/undo.ts'
import { type ActedItem, forgetFiles, orForget } from '../calls.ts'

/** The acts on items that have a way back. */
export interface Acts {
  /** Into another folder (null: the root); `shown` is the one whose list they stand in. */
  move: (items: readonly Placed[], parent: string | null, shown: string | null | undefined) => Promise<void>
  /** Into the trash. `onGone` comes before anything is read anew. */
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
      tellDone(message, back || undefined, forget)
      await forgetFiles(client)
    },
    remove: async (items, onGone) => {
      const ids = items.map(({ id }) => id)
      const { message } = await orForget(client, () => call('POST /api/v4/fs/trash', { body: { ids } }))
      tellDone(message, () => call('POST /api/v4/fs/trash/restore', { body: { ids } }), forget)
      await onGone?.()
      await forgetFiles(client)
    },
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
