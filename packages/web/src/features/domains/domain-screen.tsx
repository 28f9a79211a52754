import type { DomainDetail } from '@gatehouse/contract/directory/domains'
import { useQueryClient } from '@tanstack/react-query'
import { DeleteButton } from '../../domain/directory/delete-button.tsx'
import { loadStatus, objectQuery, withStatus } from '../../domain/directory/kind-calls.ts'
import { ObjectHistory } from '../../domain/events/history-list.tsx'
import { useRecentObject } from '../../domain/search/use-recent-object.ts'
import { day } from '../../i18n/format.ts'
import { useT } from '../../i18n/i18n.ts'
import { canContactSupport } from '../../platform/config.ts'
import { Button, ButtonLink } from '../../ui/buttons/button.tsx'
import { StatusChip } from '../../ui/facts/status-chip.tsx'
import { Note } from '../../ui/page/note.tsx'
import { PageHead } from '../../ui/page/page-head.tsx'
import { type Tab, Tabs } from '../../ui/page/tabs.tsx'
import { StatusBox } from '../../ui/status-box/status-box.tsx'
import { DeleteDialog } from './delete-dialog.tsx'
import { domainsChanged } from './domain-calls.ts'
import { GeneralTab } from './general-tab.tsx'
import { RecordsPanel } from './records/records-panel.tsx'
import { SettingsTab } from './settings-tab.tsx'
import { type Confirmation, useConfirm } from './use-confirm.ts'
import './domains.css'

/** A domain with everything the reader may see and do. */
export function DomainScreen({ domain }: { domain: DomainDetail }) {
  const t = useT()
  const confirmation = useConfirm(domain)
  useRecentObject('domain', { id: domain.id, title: domain.displayName, detail: null })

  const tabs: (Tab | false)[] = [
    {
      name: 'general',
      label: t('words.general'),
      content: () => <GeneralTab domain={domain} confirmation={confirmation} />,
    },
    {
      name: 'dns',
      label: t('domains.records'),
      content: () => <RecordsPanel domain={domain} />,
    },
    domain.canConfigure && {
      name: 'settings',
      label: t('domains.settings'),
      content: () => <SettingsTab domain={domain} />,
    },
    domain.canReadEvents && {
      name: 'history',
      label: t('words.history'),
      content: () => <ObjectHistory objectType="domain" id={domain.id} />,
    },
  ]

  return (
    <>
      <PageHead
        title={domain.displayName}
        status={<StatusChip of={domain} />}
        facts={facts(domain, t('domains.added', { date: day(domain.created_at) }))}
        trail={[{ label: t('words.domains'), to: '/domains' }]}
        actions={
          domain.canDelete && (
            <DeleteButton label={t('domains.delete')}>
              {(onClose) => <DeleteDialog domain={domain} onClose={onClose} />}
            </DeleteButton>
          )
        }
      />
      {domain.isSuspended && <Suspended />}
      <Setup domain={domain} confirmation={confirmation} />
      <Tabs label={t('domains.parts')} tabs={tabs.filter((tab) => tab !== false)} outside />
    </>
  )
}

function facts({ displayName, namespace }: DomainDetail, added: string): string {
  return [...(displayName === namespace ? [] : [namespace]), added].join(' · ')
}

function Suspended() {
  const t = useT()
  return (
    <div className="domains-note">
      <Note
        tone="warning"
        title={t('domains.suspendedTitle')}
        actions={
          canContactSupport() && (
            <ButtonLink to="/support/contact" size="small">
              {t('words.contactSupport')}
            </ButtonLink>
          )
        }
      >
        {t('domains.suspendedText')}
      </Note>
    </div>
  )
}

interface SetupProps {
  domain: DomainDetail
  confirmation: Confirmation
}

function Setup({ domain, confirmation }: SetupProps) {
  const t = useT()
  const client = useQueryClient()
  const load = loadStatus('domain', domain.id)
  return (
    <StatusBox
      key={domain.id}
      kind="domain"
      process={domain.statusInfo}
      load={load}
      onAnswer={(answer) => {
        const { queryKey } = objectQuery('domain', domain.id)
        client.setQueryData<DomainDetail>(queryKey, (old) => old && withStatus(old, answer))
        if (answer.isConfirmed && !domain.isConfirmed) confirmation.found()
        else if (answer.isDone) void domainsChanged(client)
      }}
      confirm={
        <Button onPress={confirmation.confirm} busy={confirmation.busy} busyLabel={t('domains.confirming')}>
          {t('setup.confirm')}
        </Button>
      }
    />
  )
}
