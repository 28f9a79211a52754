import { displayAddress } from '@gatehouse/contract/canonical-address'
import type { StaffGroupDetail } from '@gatehouse/contract/staff/staff-views'
import { ObjectLoader, ObjectRoute } from '../../../domain/directory/object-loader.tsx'
import { number } from '../../../i18n/format.ts'
import { useT } from '../../../i18n/i18n.ts'
import { useApi } from '../../../platform/api/query.tsx'
import { Deletion } from '../shared/deletion.tsx'
import { Restoration } from '../shared/restoration.tsx'
import { reasonLabels, Suspension } from '../shared/suspension.tsx'
import { TextList } from '../shared/text-list.tsx'
import { ObjectFrame } from './object-frame.tsx'

/** A distribution list of a customer, as staff see it. */
export function StaffDistlistPage() {
  return <ObjectRoute object={(id) => <Loaded key={id} id={id} />} />
}

function Loaded({ id }: { id: string }) {
  const query = useApi('GET /api/v4/groups/{id} @staff', { params: { id } })
  return <ObjectLoader query={query}>{(list) => <ListScreen list={list} />}</ObjectLoader>
}

function ListScreen({ list }: { list: StaffGroupDetail }) {
  const t = useT()
  const { suspension_reason: reason } = list
  return (
    <ObjectFrame
      object={list}
      title={displayAddress(list.email)}
      kind={t('title.distlist')}
      log="group"
      facts={[
        { label: t('words.name'), value: list.name },
        { label: t('words.reason'), value: reason && t(reasonLabels[reason]) },
        { label: t('words.recipients'), value: number(list.members.length) },
      ]}
      actions={
        <>
          <Suspension
            kind="groups"
            id={list.id}
            name={displayAddress(list.email)}
            rights={list}
            reason={list.suspension_reason}
          />
          <Deletion kind="groups" id={list.id} name={displayAddress(list.email)} rights={list} />
        </>
      }
      notes={
        <Restoration
          kind="groups"
          id={list.id}
          name={displayAddress(list.email)}
          deletedAt={list.deleted_at}
          until={list.restorable_until}
          canRestore={list.canRestore}
          effects={[t('customer.restoreList'), t('customer.restoreCosts')]}
        />
      }
      tabs={[
        {
          name: 'recipients',
          label: t('words.recipients'),
          count: list.members.length,
          content: () => (
            <TextList
              label={t('words.recipients')}
              entry={t('words.address')}
              entries={list.members.map(displayAddress)}
              none={t('customer.noRecipients')}
              noneText={t('customer.noRecipientsText')}
            />
          ),
        },
        {
          name: 'settings',
          label: t('words.settings'),
          content: () => (
            <TextList
              label={t('words.allowedSenders')}
              entry={t('words.allowedSenders')}
              entries={[
                ...(list.config.members_may_send ? [t('words.members')] : []),
                ...list.config.sender_policy.map(displayAddress),
              ]}
              none={t('customer.noSenders')}
              noneText={t('customer.noSendersText')}
            />
          ),
        },
      ]}
    />
  )
}
