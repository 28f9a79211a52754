import { useT } from '../../i18n/i18n.ts'
import { Dialog } from '../../ui/dialog.tsx'

export interface SupportDialogProps {
  open: boolean
  onClose: () => void
}

export function SupportDialog({ open, onClose }: SupportDialogProps) {
  const t = useT()
  return (
    <Dialog open={open} onClose={onClose} title={t('error.support')}>
      {null}
    </Dialog>
  )
}
