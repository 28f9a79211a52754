import { useT } from '../../i18n/i18n.ts'
import { PageHead } from '../../ui/page/page-head.tsx'
import { Tabs } from '../../ui/page/tabs.tsx'
import { HealthTab } from './health-tab.tsx'
import { JobsTab } from './jobs-tab.tsx'
import { MailsTab } from './mails-tab.tsx'
import './operations.css'

/** The work of the installation: what goes wrong, what waits, and how its parts do. */
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
