import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { apiQuery } from '../../app/query.tsx'
import { useT } from '../../i18n/i18n.ts'
import { useListPlace } from '../data-table/list-place.ts'
import { HistoryList, historySorts } from '../history/history-list.tsx'
import type { Kind } from './kind.ts'
import type { FieldLabels } from './labels.ts'

const options = { sorts: historySorts, filters: {}, order: 'desc' } as const

export interface HistoryTabProps {
  kind: Kind
  id: number
  labels: FieldLabels
}

/** Who did what to an object. */
export function HistoryTab({ kind, id, labels }: HistoryTabProps) {
  const t = useT()
  const navigation = useListPlace(options)
  const { page, size } = navigation.place
  const query = useQuery({
    ...apiQuery('GET /api/v4/events', {
      query: { objectType: kind.objectType, object: String(id), page, size },
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
