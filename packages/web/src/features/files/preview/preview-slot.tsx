import type { FileItem } from '@gatehouse/contract/files/file-items'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { ApiError } from '../../../platform/api/api-error.ts'
import { useApi } from '../../../platform/api/query.tsx'
import { downloadFile, itemQuery, ownUrl } from '../calls.ts'
import { usePreviewPlace } from './preview-place.ts'

const Preview = lazy(() => import('./preview-dialog.tsx').then((m) => ({ default: m.PreviewDialog })))

/** Shows the item named in the URL, with navigation to its neighbours in the list. */
export function PreviewSlot({ items = [] }: { items?: readonly FileItem[] }) {
  const { id, turn, hide } = usePreviewPlace()
  const query = useApi(
    'GET /api/v4/fs/{id}',
    { params: { id: id ?? '' }, query: { previewUrl: '1' } },
    {
      enabled: id !== undefined,
      // the URL in it is valid for an hour
      staleTime: 30 * 60_000,
    },
  )
  // items without a preview have no such URL, but details
  const isUnshown = query.error instanceof ApiError && query.error.status === 422
  const facts = useQuery({ ...itemQuery(id ?? ''), enabled: id !== undefined && isUnshown })
  if (id === undefined) return null
  const known = items.find((item) => item.id === id)
  const item = query.data ?? known ?? facts.data
  const source = isUnshown && !known ? facts : query
  return (
    <Suspense>
      <Preview
        item={item && { ...item, url: query.data?.previewUrl ? ownUrl(query.data.previewUrl) : undefined }}
        items={items}
        isLoading={source.isPending}
        isError={source.isError && !(isUnshown && known)}
        onRetry={source.refetch}
        onTurn={turn}
        onDownload={() => downloadFile(id)}
        onClose={hide}
      />
    </Suspense>
  )
}
