import type { FileItem } from '@gatehouse/contract/files/file-items'
import { lazy, Suspense, useState } from 'react'
import { DeleteDialog } from './delete-dialog.tsx'
import { CopyDialog, MoveDialog } from './move-dialog.tsx'
import { RenameDialog } from './rename-dialog.tsx'

const ShareDialog = lazy(() =>
  import('../sharing/share-dialog.tsx').then((m) => ({ default: m.ShareDialog })),
)

export type Act = 'rename' | 'move' | 'copy' | 'delete' | 'share'

/** Opens the dialog of an action. */
export type Ask = (act: Act, items: readonly FileItem[]) => void

/** Where actions take place. */
export interface DialogPlace {
  /** The current folder; null: the root, undefined: none. */
  folder: string | null | undefined
  /** Root of the folder tree, if not the root itself. */
  root?: { id: string; name: string }
  /** Called after items were moved to the trash. */
  onGone?: (items: readonly FileItem[]) => unknown
}

/** The dialog of the requested action. It is rendered beside the list, which may become empty. */
export function useItemDialogs(place: DialogPlace) {
  const [asked, setAsked] = useState<{ act: Act; items: readonly FileItem[] }>()
  const ask: Ask = (act, items) => setAsked({ act, items })
  const close = () => setAsked(undefined)
  const [first] = asked?.items ?? []
  const dialog =
    asked && first ? (
      <>
        {asked.act === 'rename' && <RenameDialog item={first} onClose={close} />}
        {asked.act === 'move' && <MoveDialog items={asked.items} place={place} onClose={close} />}
        {asked.act === 'copy' && <CopyDialog items={asked.items} place={place} onClose={close} />}
        {asked.act === 'delete' && <DeleteDialog items={asked.items} place={place} onClose={close} />}
        {asked.act === 'share' && (
          <Suspense>
            <ShareDialog item={first} onClose={close} />
          </Suspense>
        )}
      </>
    ) : null
  return { ask, dialog }
}
