import type { FileItem } from '@gatehouse/contract/files/file-items'
import { lazy, Suspense, useState } from 'react'
import { DeleteDialog } from './delete-dialog.tsx'
import { CopyDialog, MoveDialog } from './move-dialog.tsx'
import { RenameDialog } from './rename-dialog.tsx'

const ShareDialog = lazy(() =>
  import('../sharing/share-dialog.tsx').then((m) => ({ default: m.ShareDialog })),
)

export type Act = 'rename' | 'move' | 'copy' | 'delete' | 'share'

/** Opens the dialog of an act. */
export type Ask = (act: Act, items: readonly FileItem[]) => void

/** Where acts happen. */
export interface DialogPlace {
  /** The folder that is shown; null: the root, undefined: none. */
  folder: string | null | undefined
  /** Where the tree of folders begins, where that is not the root. */
  root?: { id: string; name: string }
  /** After items have gone into the trash. */
  onGone?: (items: readonly FileItem[]) => unknown
}

/** The dialog of the act that was asked for. It stands beside the list, which may become empty by it. */
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
