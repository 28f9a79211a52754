import IconAlertTriangle from '@tabler/icons-react/dist/esm/icons/IconAlertTriangle.mjs'
import { useT } from '../../i18n/i18n.ts'
import { hasPermission, useUser } from '../../platform/session/auth.ts'
import { ButtonLink } from '../../ui/buttons/button.tsx'
import { Icon } from '../../ui/icon.tsx'

/** Shown on every page when the account has run out of money. */
export function DegradedBanner() {
  const t = useT()
  const user = useUser()
  if (!user?.isAccountDegraded && !user?.isDegraded) return null
  return (
    <div className="banner" role="status">
      <div className="page">
        <Icon of={IconAlertTriangle} />
        <p>
          <b>{t('degraded.title')}</b> {t('degraded.text')} {user.isDegraded && t('degraded.pay')}
        </p>
        {user.isDegraded && !user.mustEnrol && hasPermission('wallets', user) && (
          <ButtonLink to="/wallet" search={{ pay: '1' }} variant="danger">
            {t('degraded.topUp')}
          </ButtonLink>
        )}
      </div>
    </div>
  )
}
