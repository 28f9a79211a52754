import type { FileItem } from '@gatehouse/contract/files/file-items'
import IconFolderPlus from '@tabler/icons-react/dist/esm/icons/IconFolderPlus.mjs'
import { useQueryClient } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { number } from '../../../i18n/format.ts'
import { useT } from '../../../i18n/i18n.ts'
import { call } from '../../../platform/api/api.ts'
import { Button } from '../../../ui/buttons/button.tsx'
import { Dialog } from '../../../ui/dialog/dialog.tsx'
import { toasts } from '../../../ui/toasts/store.ts'
import { forgetFiles } from '../calls.ts'
import { FolderTree } from '../tree/folder-tree.tsx'
import { commonFolder, useActs } from './acts.ts'
import type { DialogPlace } from './item-dialogs.tsx'
import { NewFolderDialog } from './new-folder-dialog.tsx'

export interface MoveDialogProps {
  items: readonly FileItem[]
  place: DialogPlace
  onClose: () => void
}

/** Moves items into a folder chosen from the tree. */
export function MoveDialog({ items, place, onClose }: MoveDialogProps) {
  const t = useT()
  const acts = useActs()
  return (
    <TargetDialog
      items={items}
      place={place}
      onClose={onClose}
      title={titleOf(t, items, 'files.moveTitle', 'files.moveMany')}
      action={t('files.moveHere')}
      busyLabel={t('files.moving')}
      isElsewhere
      onTarget={(target) => acts.move(items, target, place.folder)}
    />
  )
}

/** Copies items into a folder chosen from the tree. */
export function CopyDialog({ items, place, onClose }: MoveDialogProps) {
  const t = useT()
  const client = useQueryClient()
  return (
    <TargetDialog
      items={items}
      place={place}
      onClose={onClose}
      title={titleOf(t, items, 'files.copyTitle', 'files.copyMany')}
      action={t('files.copyHere')}
      busyLabel={t('files.copying')}
      onTarget={async (parent) => {
        try {
          let said = ''
          for (const { id } of items) {
            const body = { parent, conflict: 'rename' as const }
            const { message } = await call('POST /api/v4/fs/{id}/copy', { params: { id }, body })
            said = message
          }
          toasts.success(items.length === 1 ? said : t('files.copied', { count: items.length }))
        } finally {
          await forgetFiles(client)
        }
      }}
    />
  )
}

function titleOf(
  t: ReturnType<typeof useT>,
  items: readonly FileItem[],
  one: 'files.moveTitle' | 'files.copyTitle',
  many: 'files.moveMany' | 'files.copyMany',
): string {
  const count = items.length
  if (count === 1) return t(one, { name: items[0]?.name ?? '' })
  return t(many, { count, number: number(count) })
}

interface TargetDialogProps extends MoveDialogProps {
  title: string
  action: string
  busyLabel: string
  /** The current folder is no valid target. */
  isElsewhere?: boolean
  onTarget: (folder: string | null) => Promise<void>
}

function TargetDialog(props: TargetDialogProps) {
  const { items, place, onClose, title, action, busyLabel, isElsewhere = false, onTarget } = props
  const t = useT()
  const reasonId = useId()
  const [target, setTarget] = useState<string | null>()
  const [isMaking, setMaking] = useState(false)
  const taken = new Set(items.filter(({ type }) => type === 'collection').map(({ id }) => id))
  const isHere = isElsewhere && target !== undefined && target === commonFolder(items, place.folder)
  return (
    <>
      <Dialog
        open
        title={title}
        onClose={onClose}
        actions={[
          {
            preset: 'submit',
            label: action,
            busyLabel,
            dismiss: true,
            disabled: target === undefined || isHere,
            onPress: () => (target === undefined ? undefined : onTarget(target)),
          },
        ]}
      >
        <p className="text-2" id={reasonId}>
          {isHere ? t('files.alreadyHere') : t('files.chooseFolder')}
        </p>
        <FolderTree root={place.root} closed={taken} chosen={target} onChoose={setTarget} />
        <p>
          <Button
            size="small"
            icon={IconFolderPlus}
            disabled={target === undefined}
            aria-describedby={reasonId}
            onPress={() => setMaking(true)}
          >
            {t('words.newFolder')}
          </Button>
        </p>
      </Dialog>
      {isMaking && target !== undefined && (
        <NewFolderDialog parent={target} onClose={() => setMaking(false)} />
      )}
    </>
  )
}
