import { useEffect, useEffectEvent } from 'react'
import type { Filters, ListNavigation } from './list-place.ts'

interface ShownPage {
  data: { list: readonly unknown[]; total?: number } | undefined
  isPlaceholderData: boolean
}

/** Goes to the last page if the current one has become empty. */
export function useLastPage<S extends string, F extends Filters>(
  { data, isPlaceholderData }: ShownPage,
  { place, go }: ListNavigation<S, F>,
): void {
  const isBeyond = data?.list.length === 0 && place.page > 1 && !isPlaceholderData
  const leave = useEffectEvent(() => {
    const last = data?.total === undefined ? 1 : Math.max(1, Math.ceil(data.total / place.size))
    go({ page: last }, { replace: true })
  })
  useEffect(() => {
    if (isBeyond) leave()
  }, [isBeyond])
}
