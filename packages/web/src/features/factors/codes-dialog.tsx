import { type ReactNode, useState } from 'react'
import { useT } from '../../i18n/i18n.ts'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { RecoveryCodes } from './recovery-codes.tsx'

export interface CodesDialogProps {
  codes: readonly string[]
  /** Above them, such as the way through several steps. */
  over?: ReactNode
  onDone: () => void
}

/** Shows new recovery codes. It stays until the person says that they are saved, for nobody can show them again. */
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
