import type { FileItem } from '@gatehouse/contract/files/file-items'
import IconArrowsMove from '@tabler/icons-react/dist/esm/icons/IconArrowsMove.mjs'
import IconCopy from '@tabler/icons-react/dist/esm/icons/IconCopy.mjs'
import IconDots from '@tabler/icons-react/dist/esm/icons/IconDots.mjs'
import IconDownload from '@tabler/icons-react/dist/esm/icons/IconDownload.mjs'
import IconEye from '@tabler/icons-react/dist/esm/icons/IconEye.mjs'
import IconInfoCircle from '@tabler/icons-react/dist/esm/icons/IconInfoCircle.mjs'
import IconPencil from '@tabler/icons-react/dist/esm/icons/IconPencil.mjs'
import IconTrash from '@tabler/icons-react/dist/esm/icons/IconTrash.mjs'
import IconUsers from '@tabler/icons-react/dist/esm/icons/IconUsers.mjs'
import { type Translate, useT } from '../../../i18n/i18n.ts'
import { useNavigate } from '../../../router/router-context.tsx'
import { ActionMenu, type MenuAction } from '../../../ui/buttons/action-menu.tsx'
import { downloadItems } from '../calls.ts'
import type { Ask } from './item-dialogs.tsx'

export interface ItemMenuProps {
  item: FileItem
  ask: Ask
  onPreview?: (item: FileItem) => void
}

/** Menu of one item's actions. */
export function ItemMenu({ item, ask, onPreview }: ItemMenuProps) {
  const t = useT()
  const navigate = useNavigate()
  const details: MenuAction = {
    label: t('words.details'),
    icon: IconInfoCircle,
    onPress: () => navigate({ to: `/file/${item.id}` }),
  }
  const preview: MenuAction = {
    label: t('words.preview'),
    icon: IconEye,
    onPress: () => onPreview?.(item),
  }
  return (
    <ActionMenu
      compact
      icon={IconDots}
      label={t('words.actionsFor', { name: item.name })}
      actions={[
        ...(item.hasPreview && onPreview ? [preview] : []),
        ...itemActions(t, item, ask),
        details,
        ...removal(t, item, ask),
      ]}
    />
  )
}

/** Non-destructive actions on an item. */
export function itemActions(t: Translate, item: FileItem, ask: Ask): MenuAction[] {
  const actions: (MenuAction | false)[] = [
    { label: t('words.download'), icon: IconDownload, onPress: () => downloadItems([item]) },
    item.canShare && { label: t('files.share'), icon: IconUsers, onPress: () => ask('share', [item]) },
    item.canUpdate && { label: t('files.rename'), icon: IconPencil, onPress: () => ask('rename', [item]) },
    item.canUpdate && { label: t('files.move'), icon: IconArrowsMove, onPress: () => ask('move', [item]) },
    { label: t('files.copy'), icon: IconCopy, onPress: () => ask('copy', [item]) },
  ]
  return actions.filter((action) => action !== false)
}

export function removal(t: Translate, item: FileItem, ask: Ask): MenuAction[] {
  if (!item.canDelete) return []
  return [{ label: t('words.delete'), icon: IconTrash, danger: true, onPress: () => ask('delete', [item]) }]
}
