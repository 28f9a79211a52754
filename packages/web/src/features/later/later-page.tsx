import { useLoggedIn } from '../../app/auth.ts'
import { useRouteTitle } from '../../app/route-title.ts'
import { useT } from '../../i18n/i18n.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { PageHead } from '../../ui/page-head.tsx'
import { Panel } from '../../ui/panel.tsx'

/** Stands where a later release will have its screen. */
export function LaterPage() {
  const t = useT()
  const loggedIn = useLoggedIn()
  return (
    <>
      <PageHead title={t(useRouteTitle())} />
      <Panel flush>
        <EmptyState
          title={t('later.heading')}
          action={
            <ButtonLink to={loggedIn ? '/dashboard' : '/login'}>
              {t(loggedIn ? 'error.toDashboard' : 'error.toLogin')}
            </ButtonLink>
          }
        >
          {t('later.text')}
        </EmptyState>
      </Panel>
    </>
  )
}
