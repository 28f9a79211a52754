import { useT } from '../../i18n/i18n.ts'
import { useActWith } from '../../platform/api/use-act.ts'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { Note } from '../../ui/page/note.tsx'
import { kinds, rereadFactors } from './factor-calls.ts'
import type { FactorDialogProps } from './rename-dialog.tsx'

export interface RemoveDialogProps extends FactorDialogProps {
  /** Without it, only the password is left. */
  isLast: boolean
  /** Without it, no passkey or app is left, though perhaps a companion device. */
  isLastOwn: boolean
  /** A policy requires keeping the last one. */
  isKept: boolean
}

/**
 * Confirms the removal of a factor and says what protects the account afterwards. The last required one
 * can't be removed.
 */
export function RemoveDialog({ kind, factor, isLast, isLastOwn, isKept, onClose }: RemoveDialogProps) {
  const t = useT()
  const act = useActWith(rereadFactors)
  const { name, id } = factor
  if (isLast && isKept) {
    return (
      <Dialog open title={t('factors.keptTitle', { name })} onClose={onClose}>
        <p>{t('factors.keptText')}</p>
      </Dialog>
    )
  }
  return (
    <Dialog
      open
      cancelFocus
      title={t('factors.removeTitle', { name })}
      onClose={onClose}
      actions={[
        {
          preset: 'delete',
          label: t('words.remove'),
          onPress: () => act(() => kinds[kind].remove(id)),
        },
      ]}
    >
      <p>{t(kind === 'totp' ? 'factors.removeApp' : 'factors.removePasskey')}</p>
      {isLastOwn && (
        <Note tone="warning" title={isLast && t('factors.removeLast')}>
          {t('factors.removeLastText')}
        </Note>
      )}
    </Dialog>
  )
}
