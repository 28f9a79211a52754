import type { CompanionItem } from '@gatehouse/contract/sessions/companions'
import IconCircleCheck from '@tabler/icons-react/dist/esm/icons/IconCircleCheck.mjs'
import IconClock from '@tabler/icons-react/dist/esm/icons/IconClock.mjs'
import IconPlus from '@tabler/icons-react/dist/esm/icons/IconPlus.mjs'
import { useState } from 'react'
import { moment } from '../../i18n/format.ts'
import { useT } from '../../i18n/i18n.ts'
import { useApi } from '../../platform/api/query.tsx'
import { config } from '../../platform/config.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { type Column, DataTable } from '../../ui/data-table/data-table.tsx'
import { TableLink } from '../../ui/data-table/table-link.tsx'
import { Chip } from '../../ui/facts/status-chip.tsx'
import { FormSkeleton } from '../../ui/form/form-skeleton.tsx'
import { EmptyState } from '../../ui/page/empty-state.tsx'
import { LoadFailed } from '../../ui/page/load-failed.tsx'
import { Note } from '../../ui/page/note.tsx'
import { PageHead } from '../../ui/page/page-head.tsx'
import { Panel, Tag } from '../../ui/page/panel.tsx'
import { Loading } from '../../ui/page/skeleton.tsx'
import { NewDevice } from './new-device.tsx'
import './companions.css'

/** The devices that confirm sign-ins, with an explanation and how to prepare for losing one. */
export function CompanionsPage() {
  const t = useT()
  const [creating, setCreating] = useState<'device' | 'recovery'>()
  const query = useApi('GET /api/v4/companions', { query: {} })
  const list = query.data?.list
  const isGuarded = list?.some(({ mfa_enabled }) => mfa_enabled === 1) ?? false
  const hasRecovery = list?.some(({ isRecovery }) => isRecovery) ?? false

  const create = (
    <Button variant="primary" icon={IconPlus} onPress={() => setCreating('device')}>
      {t('companions.add')}
    </Button>
  )

  return (
    <>
      <PageHead
        title={t('words.companionApp')}
        status={<Tag accent>{t('companions.beta')}</Tag>}
        facts={list ? t(isGuarded ? 'companions.on' : 'companions.off') : '\u00a0'}
        actions={list !== undefined && list.length > 0 && create}
      />
      <div className="companions-page">
        {list !== undefined && list.length > 0 && !hasRecovery && (
          <Note
            tone="warning"
            title={t('companions.lockout')}
            actions={
              <Button size="small" onPress={() => setCreating('recovery')}>
                {t('companions.prepareRecovery')}
              </Button>
            }
          >
            {t('companions.lockoutText')}
          </Note>
        )}
        {query.isError && <LoadFailed onRetry={() => query.refetch()} />}
        {query.isPending && (
          <Loading>
            <FormSkeleton />
          </Loading>
        )}
        {list && (
          <Panel flush>
            {list.length === 0 ? (
              <EmptyState title={t('companions.emptyTitle')} action={create}>
                {t('companions.emptyText')}
              </EmptyState>
            ) : (
              <Devices list={list} />
            )}
          </Panel>
        )}
        <HowItWorks />
      </div>
      {creating && <NewDevice isRecovery={creating === 'recovery'} onClose={() => setCreating(undefined)} />}
    </>
  )
}

function Devices({ list }: { list: readonly CompanionItem[] }) {
  const t = useT()
  const columns: Column<CompanionItem>[] = [
    {
      name: 'name',
      label: t('words.name'),
      phone: 'main',
      cell: ({ id, name }) => <TableLink to={`/companion/${id}`}>{name}</TableLink>,
    },
    {
      name: 'state',
      label: t('words.status'),
      phone: 'aside',
      cell: ({ isReady }) =>
        isReady ? (
          <Chip tone="success" icon={IconCircleCheck}>
            {t('companions.paired')}
          </Chip>
        ) : (
          <Chip tone="muted" icon={IconClock}>
            {t('companions.unpaired')}
          </Chip>
        ),
    },
    {
      name: 'kind',
      label: t('companions.kind'),
      phone: 'meta',
      cell: ({ isRecovery }) => t(isRecovery ? 'words.recoveryDevice' : 'companions.everyday'),
    },
    {
      name: 'used',
      label: t('companions.used'),
      phone: 'meta',
      cell: ({ last_used_at }) => (last_used_at ? moment(last_used_at) : t('words.never')),
    },
    {
      name: 'device',
      label: t('companions.deviceId'),
      phone: 'hidden',
      cell: ({ device_id }) => <code className="companions-device">{device_id || '–'}</code>,
    },
  ]
  return <DataTable label={t('words.companionApp')} columns={columns} rows={list} rowKey={({ id }) => id} />
}

function HowItWorks() {
  const t = useT()
  const download = config['app.companion_download_link']
  return (
    <Panel title={t('companions.how')}>
      <ul className="companions-how">
        <li>{t('companions.howConfirm')}</li>
        <li>{t('companions.howNumber')}</li>
        <li>{t('companions.howHours')}</li>
        <li>{t('companions.howBrowser')}</li>
      </ul>
      {download && (
        <p className="companions-download">
          <a href={download}>{t('companions.download')}</a>
        </p>
      )}
    </Panel>
  )
}
