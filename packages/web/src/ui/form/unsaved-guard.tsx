import { useBlocker } from '@tanstack/react-router'
import { useT } from '../../i18n/i18n.ts'
import { Dialog } from '../dialog/dialog.tsx'

export interface UnsavedGuardProps {
  form: { dirty: boolean; busy: boolean }
  /** Path below which nothing is lost, for a form in several steps. */
  within?: string
}

/** Asks before a form with unsaved changes is left, by a link, by the back button or by closing the tab. */
export function UnsavedGuard({ form, within }: UnsavedGuardProps) {
  const t = useT()
  // What a submission navigates to is no loss.
  const when = form.dirty && !form.busy
  const blocker = useBlocker({
    shouldBlockFn: ({ next }) => when && !(within && isBelow(next.pathname, within)),
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

function isBelow(path: string, root: string): boolean {
  return path === root || path.startsWith(`${root}/`)
}
