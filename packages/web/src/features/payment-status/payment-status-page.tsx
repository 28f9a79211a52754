import { useUser } from '../../app/auth.ts'
import { canContactSupport } from '../../app/config.ts'
import { useT } from '../../i18n/i18n.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { Note } from '../../ui/note.tsx'
import { PageHead } from '../../ui/page-head.tsx'
import { Panel } from '../../ui/panel.tsx'

/** Where a locked account waits for its first payment. Making one comes with the payment area. */
export function PaymentStatusPage() {
  const t = useT()
  const locked = useUser()?.isLocked ?? false
  return (
    <>
      <PageHead title={t('title.payment')} />
      <div className="stack">
        {locked && (
          <Note tone="warning" title={t('payment.locked')}>
            {t('payment.lockedText')}
          </Note>
        )}
        <Panel
          title={t(locked ? 'payment.waiting' : 'payment.none')}
          footer={
            <>
              {!locked && <ButtonLink to="/dashboard">{t('error.toDashboard')}</ButtonLink>}
              {canContactSupport() && <ButtonLink to="/support/contact">{t('error.support')}</ButtonLink>}
              {locked && <ButtonLink to="/logout">{t('menu.logout')}</ButtonLink>}
            </>
          }
        >
          <p className="text-2">{t(locked ? 'payment.waitingText' : 'payment.noneText')}</p>
        </Panel>
      </div>
    </>
  )
}
