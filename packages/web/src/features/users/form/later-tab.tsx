import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { Area } from '../../../i18n/areas.ts'
import { loadMessages } from '../../../i18n/i18n.ts'
import { LoadFailed } from '../../../ui/page/load-failed.tsx'
import { Panel } from '../../../ui/page/panel.tsx'
import { SkeletonRows } from '../../../ui/page/skeleton.tsx'

export interface LaterTabProps<Parts> {
  /** Distinguishes the parts of tabs. */
  name: string
  load: () => Promise<Parts>
  messages: readonly Area[]
  children: (parts: Parts) => ReactNode
}

/** A tab whose code and texts are lazy-loaded. */
export function LaterTab<Parts>({ name, load, messages, children }: LaterTabProps<Parts>) {
  const parts = useQuery({
    queryKey: ['later tab', name],
    queryFn: async () => {
      const [loaded] = await Promise.all([load(), loadMessages(...messages)])
      return loaded
    },
    staleTime: Number.POSITIVE_INFINITY,
    structuralSharing: false,
  })
  if (parts.data) return children(parts.data)
  if (parts.isPending) {
    return (
      <Panel flush>
        <SkeletonRows />
      </Panel>
    )
  }
  return <LoadFailed onRetry={parts.refetch} />
}
