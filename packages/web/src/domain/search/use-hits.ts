import type { FileItem } from '@gatehouse/contract/files/file-items'
import { foldText } from '@gatehouse/contract/fold-text'
import type { SearchHit } from '@gatehouse/contract/search'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { call } from '../../platform/api/api.ts'
import { variant } from '../../platform/config.ts'
import { hasPermission } from '../../platform/session/auth.ts'
import { stillFits } from './hits.ts'

/** What one text finds. */
interface Found {
  hits: readonly SearchHit[]
  files: readonly FileItem[]
}

/** What belongs to the accounts of who is signed in, and the own files. */
async function ownHits(text: string, signal: AbortSignal): Promise<Found> {
  const [{ list }, files] = await Promise.all([
    call('GET /api/v4/search', { query: { q: text }, signal, ignoreErrors: true }),
    hasPermission('files') ? fileHits(text, signal) : [],
  ])
  return { hits: list, files }
}

async function fileHits(text: string, signal: AbortSignal): Promise<readonly FileItem[]> {
  const query = { search: text, recursive: '1', size: mostFiles } as const
  const { list } = await call('GET /api/v4/fs', { query, signal, ignoreErrors: true })
  return list
}

/** Customers and what they have, as staff may be looking for it. */
async function customerHits(text: string, signal: AbortSignal): Promise<Found> {
  const { list } = await call('GET /api/v4/search @staff', { query: { q: text }, signal, ignoreErrors: true })
  return { hits: list, files: [] }
}

/** Files that are offered at once; their own list has them all. */
const mostFiles = 6

/** How long typing must rest before the server is asked, in milliseconds. */
const rest = 150

export interface Hits extends Found {
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
  const { hits, files } = isAsked && query.data ? query.data : { hits: [], files: [] }
  return {
    hits: isCurrent ? hits : stillFits(hits, text),
    files: isCurrent ? files : files.filter(({ name }) => foldText(name).includes(foldText(text))),
    pending: isAsked && !(isCurrent && (query.isSuccess || query.isError)),
    failed: isAsked && isCurrent && query.isError,
    retry: query.refetch,
  }
}
