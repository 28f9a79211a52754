import { displayAddress } from '@gatehouse/contract/canonical-address'
import { useT } from '../../i18n/i18n.ts'
import type { UserInfo } from '../../platform/session/auth.ts'
import { logout } from '../../platform/session/session.ts'
import { Button, ButtonLink } from '../../ui/buttons/button.tsx'
import { Note } from '../../ui/page/note.tsx'
import { PageHead } from '../../ui/page/page-head.tsx'

/** Shown to signed-in users who open the sign-up page. */
export function SignedInNote({ user }: { user: UserInfo }) {
  const t = useT()
  return (
    <>
      <PageHead title={t('menu.signup')} />
      <Note
        title={t('signup.signedIn', { email: displayAddress(user.email) })}
        actions={
          <>
            <ButtonLink to="/dashboard" size="small">
              {t('error.toDashboard')}
            </ButtonLink>
            <Button size="small" onPress={() => logout({ stay: true })}>
              {t('menu.logout')}
            </Button>
          </>
        }
      >
        {t('signup.signedInText')}
      </Note>
    </>
  )
}
