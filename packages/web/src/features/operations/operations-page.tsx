import { useT } from '../../i18n/i18n.ts'
import { PageHead } from '../../ui/page/page-head.tsx'
import { Tabs } from '../../ui/page/tabs.tsx'
import { HealthTab } from './health-tab.tsx'
import { JobsTab } from './jobs-tab.tsx'
import { MailsTab } from './mails-tab.tsx'
import './operations.css'

/** Operation of the installation: failures, pending jobs and the health of its parts. */
export function OperationsPage() {
  const t = useT()
  return (
    <>
      <PageHead title={t('cockpit.operations')} facts={t('operations.facts')} />
      <Tabs
        outside
        label={t('operations.parts')}
        keep={[]}
        tabs={[
          { name: 'health', label: t('operations.health'), content: () => <HealthTab /> },
          { name: 'jobs', label: t('operations.jobs'), content: () => <JobsTab /> },
          { name: 'mails', label: t('operations.mails'), content: () => <MailsTab /> },
        ]}
      />
    </>
  )
}
