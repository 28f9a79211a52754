import { type ReactNode, useEffect } from 'react'
import { useT } from '../../i18n/i18n.ts'
import { statusLabel } from '../../platform/api/report-error.ts'
import { canContactSupport } from '../../platform/config.ts'
import type { PageError } from '../../platform/error-page-store.ts'
import { focusHeading } from '../../platform/navigation/screen-focus.ts'
import { hasPermission, useLoggedIn } from '../../platform/session/auth.ts'
import { Button, ButtonLink } from '../../ui/buttons/button.tsx'
import { useDocumentTitle } from '../../ui/page/document-title.ts'
import { useBodyClass } from '../body-class.ts'
import './error-page.css'

export interface ErrorPageProps {
  error: PageError
  onRetry?: () => void
  /** The link that gives access to the page, shown before the default actions. */
  remedy?: ReactNode
  /** Actions that replace the default ones. */
  actions?: ReactNode
}

/** An error page: code, explanation, and where to go next. */
export function ErrorPage({ error, onRetry, remedy, actions }: ErrorPageProps) {
  const t = useT()
  const loggedIn = useLoggedIn()
  const label = statusLabel(error.code)
  const text = error.message && error.message !== label ? error.message : undefined
  useDocumentTitle(label)
  useBodyClass('page-error')
  useEffect(focusHeading, [])

  return (
    <div className="error-page">
      <Gate />
      <div>
        <p className="small text-3 medium">{t('error.code', { code: error.code })}</p>
        <h1>{label}</h1>
        {text && <p className="text-2">{text}</p>}
        <p className="text-2">{error.hint ?? (text ? undefined : explanation(error.code, t))}</p>
        <div className="row wrap">
          {remedy}
          {onRetry && (
            <Button variant="primary" onPress={onRetry}>
              {t('load.retry')}
            </Button>
          )}
          {actions ?? (
            <>
              <ButtonLink
                variant={onRetry || remedy ? 'default' : 'primary'}
                to={loggedIn ? '/dashboard' : '/login'}
              >
                {t(loggedIn ? 'error.toDashboard' : 'error.toLogin')}
              </ButtonLink>
              <Button onPress={() => window.history.back()}>{t('error.back')}</Button>
            </>
          )}
          {canContactSupport() && (
            <ButtonLink variant="quiet" to="/support/contact">
              {t('words.contactSupport')}
            </ButtonLink>
          )}
        </div>
        {error.requestId && (
          <p className="tiny text-3 error-reference">
            {t('error.reference')} <code>{error.requestId}</code>
          </p>
        )}
      </div>
    </div>
  )
}

function explanation(code: number, t: ReturnType<typeof useT>): ReactNode {
  if (code === 404) return `${t('error.resource')} ${t('error.hint404')}`
  if (code === 403) return t(hasPermission('settings') ? 'error.hint403Owner' : 'error.hint403')
  return t('error.hintOther')
}

function Gate() {
  return (
    <svg viewBox="0 0 150 170" width="150" height="170" fill="none" strokeWidth="2" aria-hidden="true">
      <path className="gate-frame" d="M5 168V5h140v163" />
      <path className="gate-bars" d="M55 168V58M75 168V46M95 168V58M37 80h76M35 110h80M35 140h80" />
      <path className="gate-arch" d="M35 168V85a40 40 0 0 1 80 0v83" strokeWidth="2.5" />
    </svg>
  )
}
