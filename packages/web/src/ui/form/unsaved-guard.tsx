import { useT } from '../../i18n/i18n.ts'
import { isBelow } from '../../router/location.ts'
import { useBlocker } from '../../router/use-blocker.ts'
import { Dialog } from '../dialog/dialog.tsx'

export interface UnsavedGuardProps {
  form: { dirty: boolean; busy: boolean }
  /** Path below which nothing is lost, for multi-step forms. */
  within?: string
}

/**
 * Asks for confirmation before a form with unsaved changes is left, by link, back button or closing the tab.
 */
export function UnsavedGuard({ form, within }: UnsavedGuardProps) {
  const t = useT()
  // Navigation after a submission loses nothing.
  const when = form.dirty && !form.busy
  const blocked = useBlocker({
    blocks: (path) => when && !(within && isBelow(path, within)),
    blocksClosing: () => when,
  })
  return (
    <Dialog
      open={blocked !== undefined}
      title={t('unsaved.title')}
      onClose={() => blocked?.stay()}
      cancelLabel={t('unsaved.stay')}
      cancelFocus
      actions={[
        {
          label: t('unsaved.leave'),
          className: 'button-danger',
          dismiss: false,
          onPress: () => blocked?.proceed(),
        },
      ]}
    >
      <p>{t('unsaved.text')}</p>
    </Dialog>
  )
}
