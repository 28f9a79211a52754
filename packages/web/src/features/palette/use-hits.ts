import type { SearchHit } from '@gatehouse/contract/search'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { apiQuery } from '../../app/query.tsx'
import { stillFits } from './hits.ts'

/** How long typing must rest before the server is asked, in milliseconds. */
const rest = 150

export interface Hits {
  hits: readonly SearchHit[]
  /** The answer to what is typed now is still on its way. */
  pending: boolean
  failed: boolean
  retry: () => unknown
}

/**
 * What the server finds for a text. Each text is a question of its own, so that an answer that comes late never
 * takes the place of a later one; what is superseded is cancelled.
 */
export function useHits(text: string, isOffered: boolean): Hits {
  const [rested, setRested] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setRested(text), rest)
    return () => clearTimeout(timer)
  }, [text])
  const isAsked = isOffered && text !== ''
  const query = useQuery({
    ...apiQuery('GET /api/v4/search', { query: { q: rested } }),
    enabled: isOffered && rested !== '' && rested === text,
    placeholderData: keepPreviousData,
  })
  const isCurrent = rested === text && !query.isPlaceholderData
  const known = query.data?.list ?? []
  return {
    hits: !isAsked ? [] : isCurrent ? known : stillFits(known, text),
    pending: isAsked && !(isCurrent && (query.isSuccess || query.isError)),
    failed: isAsked && isCurrent && query.isError,
    retry: query.refetch,
  }
}
