import { useT } from '../../../i18n/i18n.ts'
import { useLoggedIn } from '../../../platform/session/auth.ts'
import { ButtonLink } from '../../../ui/buttons/button.tsx'
import { EmptyState } from '../../../ui/page/empty-state.tsx'
import { PageHead } from '../../../ui/page/page-head.tsx'
import { Panel } from '../../../ui/page/panel.tsx'

/** Shown if the room doesn't exist. */
export function RoomMissing({ room }: { room: string }) {
  const t = useT()
  const loggedIn = useLoggedIn()
  return (
    <>
      <PageHead title={t('meet.title', { room })} />
      <Panel flush>
        <EmptyState
          title={t('meet.missingTitle')}
          action={
            <ButtonLink to={loggedIn ? '/dashboard' : '/login'}>
              {t(loggedIn ? 'error.toDashboard' : 'error.toLogin')}
            </ButtonLink>
          }
        >
          {t('meet.missingText')}
        </EmptyState>
      </Panel>
    </>
  )
}
