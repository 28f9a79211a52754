import { useBlocker } from '@tanstack/react-router'
import { useT } from '../../i18n/i18n.ts'
import { Dialog } from '../dialog.tsx'

/** Asks before a form with unsaved changes is left, by a link, by the back button or by closing the tab. */
export function UnsavedGuard({ form }: { form: { dirty: boolean; busy: boolean } }) {
  const t = useT()
  // What a submission navigates to is no loss.
  const when = form.dirty && !form.busy
  const blocker = useBlocker({
    shouldBlockFn: () => when,
    enableBeforeUnload: () => when,
    withResolver: true,
  })
  return (
    <Dialog
      open={blocker.status === 'blocked'}
      title={t('unsaved.title')}
      onClose={() => blocker.reset?.()}
      cancelLabel={t('unsaved.stay')}
      cancelFocus
      actions={[
        {
          label: t('unsaved.leave'),
          className: 'button-danger',
          dismiss: false,
          onPress: () => blocker.proceed?.(),
        },
      ]}
    >
      <p>{t('unsaved.text')}</p>
    </Dialog>
  )
}
