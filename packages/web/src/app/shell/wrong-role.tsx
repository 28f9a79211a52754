import { displayAddress } from '@gatehouse/contract/canonical-address'
import { useT } from '../../i18n/i18n.ts'
import { portalAddress, variant } from '../../platform/config.ts'
import { useUser } from '../../platform/session/auth.ts'
import { ButtonLink } from '../../ui/buttons/button.tsx'
import { ErrorPage } from './error-page.tsx'

/** Shown to people who signed in to the wrong cockpit, with links to leave. */
export function WrongRole() {
  const t = useT()
  const email = displayAddress(useUser()?.email ?? '')
  return (
    <ErrorPage
      error={{
        code: 403,
        message: t('cockpit.wrongTitle'),
        hint: t(variant() === 'admin' ? 'cockpit.wrongAdmin' : 'cockpit.wrongReseller', { email }),
      }}
      actions={
        <>
          <ButtonLink variant="primary" to={portalAddress()}>
            {t('cockpit.toPortal')}
          </ButtonLink>
          <ButtonLink to="/logout">{t('cockpit.otherLogin')}</ButtonLink>
        </>
      }
    />
  )
}
