import { type ReactNode, useState } from 'react'
import { useT } from '../../i18n/i18n.ts'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { RecoveryCodes } from './recovery-codes.tsx'

export interface CodesDialogProps {
  codes: readonly string[]
  /** Shown above the codes, such as the step indicator. */
  over?: ReactNode
  onDone: () => void
}

/**
 * Shows new recovery codes. Stays open until the user confirms that they are saved, because they can't be
 * shown again.
 */
export function CodesDialog({ codes, over, onDone }: CodesDialogProps) {
  const t = useT()
  const [isSaved, setSaved] = useState(false)
  return (
    <Dialog
      open
      sealed
      title={t('factors.codesTitle')}
      onClose={onDone}
      actions={[{ preset: 'submit', label: t('factors.done'), disabled: !isSaved, onPress: onDone }]}
    >
      {over}
      <RecoveryCodes codes={codes} isSaved={isSaved} onSaved={setSaved} />
    </Dialog>
  )
}
