import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useT } from '../../../i18n/i18n.ts'
import { ApiError } from '../../../platform/api/api-error.ts'
import { showErrorPage } from '../../../platform/error-page-store.ts'
import { useFocusWhenReady } from '../../../platform/navigation/screen-focus.ts'
import { hasPermission } from '../../../platform/session/auth.ts'
import { Navigate, useParams } from '../../../router/router-context.tsx'
import { LoadFailed } from '../../../ui/page/load-failed.tsx'
import { ObjectSkeleton } from '../../../ui/page/object-skeleton.tsx'
import { PageHead } from '../../../ui/page/page-head.tsx'
import { itemQuery } from '../calls.ts'
import { FolderScreen } from '../list/folder-screen.tsx'
import { FileScreen } from './file-screen.tsx'
import '../files.css'

/** The page of a file or folder, by its id or that of a share. */
export function FilePage() {
  const { file = '' } = useParams()
  return <LoadedFile key={file} id={file} />
}

function LoadedFile({ id }: { id: string }) {
  const t = useT()
  const query = useQuery(itemQuery(id))
  const { data, error } = query
  const refused = error instanceof ApiError && [403, 404, 422].includes(error.status)
  useFocusWhenReady(data !== undefined)
  useEffect(() => {
    if (refused) showErrorPage(error.status === 422 ? new ApiError('', { status: 404 }) : error)
  }, [refused, error])
  if (refused) return null
  if (!data) {
    if (!query.isError) return <ObjectSkeleton title={t('words.file')} />
    return (
      <>
        <PageHead title={t('words.file')} />
        <LoadFailed onRetry={query.refetch} />
      </>
    )
  }
  if (data.type === 'collection') {
    // users without files of their own browse shared folders here
    if (!hasPermission('files')) return <FolderScreen parent={id} />
    if (id.startsWith('share-')) return <Navigate to={`/files/${data.id}`} replace />
  }
  return <FileScreen file={data} />
}
