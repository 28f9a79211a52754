import { useQuery } from '@tanstack/react-query'
import { createElement } from 'react'
import { prepareScreen, screenOf } from '../../platform/navigation/lazy-screen.ts'
import { LoadFailed } from '../../ui/page/load-failed.tsx'
import { Panel } from '../../ui/page/panel.tsx'
import { SkeletonRows } from '../../ui/page/skeleton.tsx'
import type { SecuritySection } from './security-section.ts'

/** The content of a tab, once its code and texts are loaded. */
export function LazySection({ section }: { section: SecuritySection }) {
  const { isSuccess, isPending, refetch } = useQuery({
    queryKey: ['security section', section.name],
    queryFn: () => prepareScreen(section).then(() => section.name),
    staleTime: Number.POSITIVE_INFINITY,
  })
  const Content = isSuccess ? screenOf(section) : undefined
  if (Content) return createElement(Content)
  if (!isPending) return <LoadFailed onRetry={refetch} />
  return (
    <Panel flush>
      <SkeletonRows />
    </Panel>
  )
}
