import type { FileDetail } from '@gatehouse/contract/files/file-items'
import IconDots from '@tabler/icons-react/dist/esm/icons/IconDots.mjs'
import IconFolderPlus from '@tabler/icons-react/dist/esm/icons/IconFolderPlus.mjs'
import { useState } from 'react'
import { useT } from '../../../i18n/i18n.ts'
import { useNavigate } from '../../../router/router-context.tsx'
import { ActionMenu } from '../../../ui/buttons/action-menu.tsx'
import { Button } from '../../../ui/buttons/button.tsx'
import { UploadMenu } from '../uploads/upload-menu.tsx'
import type { Ask } from './item-dialogs.tsx'
import { itemActions, removal } from './item-menu.tsx'
import { NewFolderDialog } from './new-folder-dialog.tsx'

export interface FolderActionsProps {
  folder: FileDetail | undefined
  /** Null: the root. */
  parent: string | null
  canAdd: boolean
  ask: Ask
}

/** Actions on the current folder, the most common last. */
export function FolderActions({ folder, parent, canAdd, ask }: FolderActionsProps) {
  return (
    <>
      {folder && <ThisFolder folder={folder} ask={ask} />}
      {canAdd && <AddActions parent={parent} />}
    </>
  )
}

/** Menu to add things to a folder. */
export function AddActions({ parent }: { parent: string | null }) {
  const t = useT()
  const [isMaking, setMaking] = useState(false)
  return (
    <>
      <Button icon={IconFolderPlus} onPress={() => setMaking(true)}>
        {t('words.newFolder')}
      </Button>
      <UploadMenu parent={parent} />
      {isMaking && <NewFolderDialog parent={parent} onClose={() => setMaking(false)} />}
    </>
  )
}

function ThisFolder({ folder, ask }: { folder: FileDetail; ask: Ask }) {
  const t = useT()
  const navigate = useNavigate()
  return (
    <ActionMenu
      compact
      icon={IconDots}
      label={t('words.actionsFor', { name: folder.name })}
      actions={[
        ...itemActions(t, folder, ask),
        {
          label: t('words.details'),
          onPress: () => navigate({ to: `/file/${folder.id}` }),
        },
        ...removal(t, folder, ask),
      ]}
    />
  )
}
