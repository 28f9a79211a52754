import { useT } from '../../i18n/i18n.ts'
import { useActWith } from '../../platform/api/use-act.ts'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { Note } from '../../ui/page/note.tsx'
import { kinds, rereadFactors } from './factor-calls.ts'
import type { FactorDialogProps } from './rename-dialog.tsx'

export interface RemoveDialogProps extends FactorDialogProps {
  /** Nothing but the password is left without it. */
  isLast: boolean
  /** No passkey and no app is left without it; a companion device may be. */
  isLastOwn: boolean
  /** A policy keeps the last one. */
  isKept: boolean
}

/** Asks before a factor is removed, and says what protects the account then; the last required one stays. */
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
