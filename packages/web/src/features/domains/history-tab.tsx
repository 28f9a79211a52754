import type { DomainDetail } from '@gatehouse/contract/domains'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { apiQuery } from '../../app/query.tsx'
import type { MessageKey } from '../../i18n/areas.ts'
import { useT } from '../../i18n/i18n.ts'
import { useListPlace } from '../../ui/data-table/list-place.ts'
import { HistoryList, historySorts } from '../../ui/history/history-list.tsx'

const options = { sorts: historySorts, filters: {}, order: 'desc' } as const

const labels: Readonly<Record<string, MessageKey>> = {
  namespace: 'domains.namespace',
  spf_whitelist: 'domains.spf',
  subscriptions: 'domains.subscriptions',
}

/** Who did what to a domain. */
export function HistoryTab({ domain }: { domain: DomainDetail }) {
  const t = useT()
  const navigation = useListPlace(options)
  const { page, size } = navigation.place
  const query = useQuery({
    ...apiQuery('GET /api/v4/events', {
      query: { objectType: 'domain', object: String(domain.id), page, size },
    }),
    placeholderData: keepPreviousData,
  })
  return (
    <HistoryList
      query={query}
      navigation={navigation}
      fields={Object.keys(labels)}
      fieldLabel={(field) => {
        const label = labels[field]
        return label ? t(label) : field
      }}
    />
  )
}
