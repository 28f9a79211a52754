import type { DomainDetail } from '@gatehouse/contract/directory/domains'
import { pricingOf } from '../../domain/subscriptions/discount.tsx'
import { heldUnits } from '../../domain/subscriptions/rules.ts'
import { SubscriptionSelect } from '../../domain/subscriptions/subscription-select.tsx'
import { day } from '../../i18n/format.ts'
import { useT } from '../../i18n/i18n.ts'
import { useApi } from '../../platform/api/query.tsx'
import { Facts } from '../../ui/facts/facts.tsx'
import { StatusChip } from '../../ui/facts/status-chip.tsx'
import { LoadFailed } from '../../ui/page/load-failed.tsx'
import { Panel } from '../../ui/page/panel.tsx'
import { SkeletonRows } from '../../ui/page/skeleton.tsx'
import { ConfirmPanel } from './confirm-panel.tsx'
import { RecordsSummary } from './records/records-summary.tsx'
import type { Confirmation } from './use-confirm.ts'

export interface GeneralTabProps {
  domain: DomainDetail
  confirmation: Confirmation
}

/** The next step for a domain, its details and its cost. */
export function GeneralTab({ domain, confirmation }: GeneralTabProps) {
  return (
    <div className="columns">
      <div className="stack domains-main">
        {domain.isConfirmed ? (
          <RecordsSummary domain={domain} />
        ) : (
          <ConfirmPanel domain={domain} confirmation={confirmation} />
        )}
        <Subscriptions domain={domain} />
      </div>
      <aside>
        <Glance domain={domain} />
      </aside>
    </div>
  )
}

function Glance({ domain }: { domain: DomainDetail }) {
  const t = useT()
  const { namespace, displayName } = domain
  return (
    <Panel title={t('words.atAGlance')}>
      <Facts
        facts={[
          { label: t('domains.status'), value: <StatusChip of={domain} /> },
          { label: t('words.domain'), value: displayName },
          ...(namespace === displayName ? [] : [{ label: t('domains.asciiName'), value: namespace }]),
          { label: t('domains.created'), value: day(domain.created_at) },
          { label: t('words.lastChanged'), value: day(domain.updated_at) },
        ]}
      />
    </Panel>
  )
}

function Subscriptions({ domain }: { domain: DomainDetail }) {
  const t = useT()
  const params = { id: String(domain.id) }
  const { data, isError, refetch } = useApi('GET /api/v4/domains/{id}/skus', { params })
  return (
    <Panel title={t('words.subscriptions')} flush={!data && !isError}>
      {data && (
        <SubscriptionSelect
          id="skus"
          label={t('words.subscriptions')}
          skus={data}
          held={domain.skus}
          value={heldUnits(domain.skus)}
          onValue={() => {}}
          pricing={pricingOf(domain.wallet ?? undefined)}
          readOnly
        />
      )}
      {!data && (isError ? <LoadFailed onRetry={refetch} /> : <SkeletonRows count={1} />)}
    </Panel>
  )
}
