import type { SearchHit } from '@gatehouse/contract/search'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { call } from '../../app/api.ts'
import { variant } from '../../app/config.ts'
import { stillFits } from './hits.ts'

/** What belongs to the accounts of who is signed in. */
async function ownHits(text: string, signal: AbortSignal): Promise<SearchHit[]> {
  const { list } = await call('GET /api/v4/search', { query: { q: text }, signal, ignoreErrors: true })
  return list
}

/** Customers that staff may be looking for. */
async function customerHits(text: string, signal: AbortSignal): Promise<SearchHit[]> {
  const { list } = await call('GET /api/v4/users @staff', {
    query: { search: text, size: mostCustomers },
    signal,
    ignoreErrors: true,
  })
  return list.map(({ id, email, name }) => ({ type: 'user', id, title: email, detail: name }))
}

/** Customers that are offered at once; the dashboard lists them all. */
const mostCustomers = 8

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
export function useHits(text: string): Hits {
  const [rested, setRested] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setRested(text), rest)
    return () => clearTimeout(timer)
  }, [text])
  const isAsked = text !== ''
  const query = useQuery({
    queryKey: ['palette', variant(), rested],
    queryFn: ({ signal }) => (variant() === 'user' ? ownHits : customerHits)(rested, signal),
    enabled: rested !== '' && rested === text,
    placeholderData: keepPreviousData,
  })
  const isCurrent = rested === text && !query.isPlaceholderData
  const known = query.data ?? []
  return {
    hits: !isAsked ? [] : isCurrent ? known : stillFits(known, text),
    pending: isAsked && !(isCurrent && (query.isSuccess || query.isError)),
    failed: isAsked && isCurrent && query.isError,
    retry: query.refetch,
  }
}
