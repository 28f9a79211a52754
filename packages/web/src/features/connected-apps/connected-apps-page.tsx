import { useT } from '../../i18n/i18n.ts'
import { ConnectedApps } from '../../ui/connected-apps/connected-apps.tsx'
import { PageHead } from '../../ui/page-head.tsx'

/** What has access to the own account beside oneself. */
export function ConnectedAppsPage() {
  const t = useT()
  return (
    <>
      <PageHead title={t('oauth.apps')} facts={t('oauth.appsFacts')} />
      <ConnectedApps />
    </>
  )
}
