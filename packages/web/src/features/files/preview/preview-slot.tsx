import type { FileItem } from '@gatehouse/contract/file-items'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { apiQuery } from '../../../app/query.tsx'
import { downloadFile, ownUrl } from '../calls.ts'
import { usePreviewPlace } from './preview-place.ts'

const Preview = lazy(() => import('./preview-dialog.tsx').then((m) => ({ default: m.PreviewDialog })))

/** Shows the item that the address names, with the way to its neighbours in the list. */
export function PreviewSlot({ items = [] }: { items?: readonly FileItem[] }) {
  const { id, turn, hide } = usePreviewPlace()
  const query = useQuery({
    ...apiQuery('GET /api/v4/fs/{id}', { params: { id: id ?? '' }, query: { previewUrl: '1' } }),
    enabled: id !== undefined,
    // the address in it is good for an hour
    staleTime: 30 * 60_000,
  })
  if (id === undefined) return null
  const known = items.find((item) => item.id === id)
  const item = query.data ?? known
  return (
    <Suspense>
      <Preview
        item={item && { ...item, url: query.data?.previewUrl ? ownUrl(query.data.previewUrl) : undefined }}
        items={items}
        isLoading={query.isPending}
        isError={query.isError}
        onRetry={query.refetch}
        onTurn={turn}
        onDownload={() => downloadFile(id)}
        onClose={hide}
      />
    </Suspense>
  )
}
