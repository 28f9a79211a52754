import type { BulkAction, BulkObjects } from '@gatehouse/contract/directory/bulk'
import IconArrowBackUp from '@tabler/icons-react/dist/esm/icons/IconArrowBackUp.mjs'
import IconPackage from '@tabler/icons-react/dist/esm/icons/IconPackage.mjs'
import IconTrash from '@tabler/icons-react/dist/esm/icons/IconTrash.mjs'
import IconUserMinus from '@tabler/icons-react/dist/esm/icons/IconUserMinus.mjs'
import IconUserPlus from '@tabler/icons-react/dist/esm/icons/IconUserPlus.mjs'
import type { MessageKey } from '../../i18n/areas.ts'
import { useT } from '../../i18n/i18n.ts'
import { hasPermission } from '../../platform/session/auth.ts'
import { Button } from '../../ui/buttons/button.tsx'
import type { Glyph } from '../../ui/icon.tsx'

const looks: Record<BulkAction, { label: MessageKey; icon: Glyph }> = {
  delete: { label: 'words.delete', icon: IconTrash },
  restore: { label: 'bulk.restore', icon: IconArrowBackUp },
  package: { label: 'bulk.package', icon: IconPackage },
  join: { label: 'bulk.join', icon: IconUserPlus },
  leave: { label: 'bulk.leave', icon: IconUserMinus },
}

export interface BulkActionsProps {
  objects: BulkObjects
  /** The list shows what was deleted. */
  isDeleted: boolean
  onAction: (action: BulkAction) => void
}

/** The buttons for what can be done with the chosen rows of a list. */
export function BulkActions({ objects, isDeleted, onAction }: BulkActionsProps) {
  const t = useT()
  return actionsOf(objects, isDeleted).map((action) => (
    <Button key={action} size="small" icon={looks[action].icon} onPress={() => onAction(action)}>
      {t(looks[action].label)}
    </Button>
  ))
}

function actionsOf(objects: BulkObjects, isDeleted: boolean): readonly BulkAction[] {
  if (isDeleted) return ['restore']
  if (objects !== 'users') return ['delete']
  const lists = hasPermission('distlists') ? (['join', 'leave'] as const) : []
  return ['package', ...lists, 'delete']
}
