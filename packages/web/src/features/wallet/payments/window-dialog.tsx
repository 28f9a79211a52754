import IconExternalLink from '@tabler/icons-react/dist/esm/icons/IconExternalLink.mjs'
import { useT } from '../../../i18n/i18n.ts'
import { Dialog } from '../../../ui/dialog/dialog.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { Note } from '../../../ui/page/note.tsx'
import type { Payments } from './use-payments.ts'

/** Waits for the outcome while the provider's page is open in another window, or blocked. */
export function WindowDialog({ payments: { beside, closeBeside } }: { payments: Payments }) {
  const t = useT()
  if (!beside) return null
  return (
    <Dialog open title={t('payment.windowTitle')} onClose={closeBeside}>
      {beside.isOpen ? (
        <p>{t('payment.windowText')}</p>
      ) : (
        <Note tone="warning" title={t('payment.windowBlocked')}>
          {t('payment.windowBlockedText')}
        </Note>
      )}
      <p>
        <a
          href={beside.url}
          target="_blank"
          rel="noopener noreferrer"
          className={beside.isOpen ? 'button button-default' : 'button button-primary'}
        >
          <Icon of={IconExternalLink} size="small" />
          {t(beside.isOpen ? 'payment.windowAgain' : 'payment.windowOpen')}
        </a>
      </p>
    </Dialog>
  )
}
