import type { DomainDetail } from '@gatehouse/contract/domains'
import { call } from '../../app/api.ts'
import type { MessageKey } from '../../i18n/areas.ts'
import { useT } from '../../i18n/i18n.ts'
import { HistoryList } from '../../ui/history/history-list.tsx'

const labels: Readonly<Record<string, MessageKey>> = {
  namespace: 'domains.namespace',
  spf_whitelist: 'domains.spf',
  subscriptions: 'domains.subscriptions',
}

/** Who did what to a domain. */
export function HistoryTab({ domain }: { domain: DomainDetail }) {
  const t = useT()
  return (
    <HistoryList
      events={({ page, size }) => {
        const query = { page, size, objectType: 'domain', object: String(domain.id) }
        return {
          queryKey: ['GET /api/v4/events', query],
          queryFn: ({ signal }) => call('GET /api/v4/events', { query, signal, ignoreErrors: true }),
        }
      }}
      fields={Object.keys(labels)}
      fieldLabel={(field) => {
        const label = labels[field]
        return label ? t(label) : field
      }}
      empty={t('domains.noHistoryText')}
    />
  )
}
