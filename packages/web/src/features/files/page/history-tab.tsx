import type { FileDetail } from '@gatehouse/contract/files/file-items'
import { HistoryList, historySorts } from '../../../domain/events/history-list.tsx'
import { useApiPage } from '../../../platform/api/query.tsx'
import { useListPlace } from '../../../ui/data-table/list-place.ts'

const options = { sorts: historySorts, filters: {}, order: 'desc' } as const

/** Who did what to a file, newest first. */
export function HistoryTab({ file }: { file: FileDetail }) {
  const navigation = useListPlace(options)
  const { page, size } = navigation.place
  const query = useApiPage('GET /api/v4/fs/{id}/events', { params: { id: file.id }, query: { page, size } })
  return <HistoryList query={query} navigation={navigation} />
}
