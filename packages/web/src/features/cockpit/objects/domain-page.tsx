import type { StaffDomainDetail } from '@gatehouse/contract/staff/staff-views'
import { ObjectLoader, ObjectRoute } from '../../../domain/directory/object-loader.tsx'
import { day, moment } from '../../../i18n/format.ts'
import { useT } from '../../../i18n/i18n.ts'
import { useApi } from '../../../platform/api/query.tsx'
import { Deletion } from '../shared/deletion.tsx'
import { Restoration } from '../shared/restoration.tsx'
import { reasonLabels, Suspension } from '../shared/suspension.tsx'
import { TextList } from '../shared/text-list.tsx'
import { DnsTab } from './dns-tab.tsx'
import { ObjectFrame } from './object-frame.tsx'

/** A domain of a customer, as staff see it. */
export function StaffDomainPage() {
  return <ObjectRoute object={(id) => <Loaded key={id} id={id} />} />
}

function Loaded({ id }: { id: string }) {
  const query = useApi('GET /api/v4/domains/{id} @staff', { params: { id } })
  return <ObjectLoader query={query}>{(domain) => <DomainScreen domain={domain} />}</ObjectLoader>
}

function DomainScreen({ domain }: { domain: StaffDomainDetail }) {
  const t = useT()
  const { namespace, displayName, suspension_reason: reason } = domain
  return (
    <ObjectFrame
      object={domain}
      title={displayName}
      kind={t('words.domain')}
      log="domain"
      facts={[
        { label: t('domains.asciiName'), value: namespace === displayName ? '' : namespace },
        { label: t('words.reason'), value: reason && t(reasonLabels[reason]) },
        { label: t('words.confirmed'), value: t(domain.isConfirmed ? 'customer.yes' : 'words.no') },
        { label: t('customer.missingSince'), value: domain.missingSince && day(domain.missingSince) },
        {
          label: t('customer.lastLook'),
          value: domain.dnsReport.checkedAt && moment(domain.dnsReport.checkedAt),
        },
      ]}
      actions={
        <>
          <Suspension
            kind="domains"
            id={domain.id}
            name={displayName}
            rights={domain}
            reason={domain.suspension_reason}
          />
          <Deletion kind="domains" id={domain.id} name={displayName} rights={domain} />
        </>
      }
      notes={
        <Restoration
          kind="domains"
          id={domain.id}
          name={displayName}
          deletedAt={domain.deleted_at}
          until={domain.restorable_until}
          canRestore={domain.canRestore}
          effects={[t('customer.restoreDomain'), t('customer.restoreCosts')]}
        />
      }
      tabs={[
        { name: 'dns', label: t('customer.dns'), content: () => <DnsTab domain={domain} /> },
        {
          name: 'settings',
          label: t('words.settings'),
          count: domain.config.spf_whitelist.length,
          content: () => (
            <TextList
              label={t('words.sendersBeyondSpf')}
              entry={t('words.sendersBeyondSpf')}
              entries={domain.config.spf_whitelist}
              none={t('customer.noSpf')}
              noneText={t('customer.noSpfText')}
            />
          ),
        },
      ]}
    />
  )
}
