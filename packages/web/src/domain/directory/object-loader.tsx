import { type ReactNode, useEffect } from 'react'
import { useT } from '../../i18n/i18n.ts'
import { ApiError } from '../../platform/api/api-error.ts'
import { showErrorPage, showStatusPage } from '../../platform/error-page-store.ts'
import { useRouteTitle } from '../../platform/navigation/route-title.ts'
import { useFocusWhenReady } from '../../platform/navigation/screen-focus.ts'
import { useParams } from '../../router/router-context.tsx'
import { LoadFailed } from '../../ui/page/load-failed.tsx'
import { ObjectSkeleton } from '../../ui/page/object-skeleton.tsx'
import { PageHead } from '../../ui/page/page-head.tsx'

/** Routes an object's URL: the creation form, an object, or not found. */
export function ObjectRoute(props: {
  /** Name of the path parameter. */
  param?: string
  /** Absent if objects can't be created here. */
  new?: () => ReactNode
  object: (id: string) => ReactNode
}) {
  // Without registered routes, the params are an open record.
  const params = useParams()
  const id = params[props.param ?? 'id'] ?? ''
  if (id === 'new' && props.new) return props.new()
  return /^[1-9]\d{0,9}$/.test(id) ? props.object(id) : <Missing />
}

function Missing() {
  useEffect(() => showStatusPage(404), [])
  return null
}

/** The query state that an object's page needs. */
export interface ObjectQuery<D> {
  data: D | undefined
  error: Error | null
  isError: boolean
  refetch: () => unknown
}

/** An object's page in every state: loading, denied, failed, loaded. */
export function ObjectLoader<D>({
  query,
  children,
}: {
  query: ObjectQuery<D>
  children: (detail: D) => ReactNode
}) {
  const t = useT()
  const title = useRouteTitle()
  const { data, error, isError } = query
  const refused = error instanceof ApiError && [403, 404].includes(error.status)
  useFocusWhenReady(data !== undefined)
  useEffect(() => {
    if (refused) showErrorPage(error)
  }, [refused, error])

  if (refused) return null
  if (data) return children(data)
  if (!isError) return <ObjectSkeleton title={t(title)} />
  return (
    <>
      <PageHead title={t(title)} facts={'\u00a0'} />
      <LoadFailed onRetry={query.refetch} />
    </>
  )
}
