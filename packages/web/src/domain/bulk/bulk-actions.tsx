import type { BulkAction, BulkObjects } from '@gatehouse/contract/directory/bulk'
import IconArrowBackUp from '@tabler/icons-react/dist/esm/icons/IconArrowBackUp.mjs'
import IconCircleCheck from '@tabler/icons-react/dist/esm/icons/IconCircleCheck.mjs'
import IconKey from '@tabler/icons-react/dist/esm/icons/IconKey.mjs'
import IconPackage from '@tabler/icons-react/dist/esm/icons/IconPackage.mjs'
import IconPlayerPause from '@tabler/icons-react/dist/esm/icons/IconPlayerPause.mjs'
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
  suspend: { label: 'bulk.suspend', icon: IconPlayerPause },
  resume: { label: 'bulk.resume', icon: IconCircleCheck },
  'password-link': { label: 'bulk.passwordLinks', icon: IconKey },
}

export interface BulkActionsProps {
  objects: BulkObjects
  /** The list's filter. */
  status: string | undefined
  onAction: (action: BulkAction) => void
}

/** Buttons for actions on the selected rows of a list. */
export function BulkActions({ objects, status, onAction }: BulkActionsProps) {
  const t = useT()
  return actionsOf(objects, status).map((action) => (
    <Button key={action} size="small" icon={looks[action].icon} onPress={() => onAction(action)}>
      {t(looks[action].label)}
    </Button>
  ))
}

function actionsOf(objects: BulkObjects, status: string | undefined): readonly BulkAction[] {
  if (status === 'deleted') return ['restore']
  if (objects !== 'users') return ['delete']
  const lists = hasPermission('distlists') ? (['join', 'leave'] as const) : []
  const state = status === 'suspended' ? 'resume' : 'suspend'
  return [state, 'package', ...lists, 'password-link', 'delete']
}
