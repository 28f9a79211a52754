import type { FileItem } from '@gatehouse/contract/files/file-items'
import { foldText } from '@gatehouse/contract/fold-text'
import type { SearchHit } from '@gatehouse/contract/search'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { call } from '../../platform/api/api.ts'
import { variant } from '../../platform/config.ts'
import { hasPermission } from '../../platform/session/auth.ts'
import { stillFits } from './hits.ts'

/** Results for one text. */
interface Found {
  hits: readonly SearchHit[]
  files: readonly FileItem[]
}

/** Objects in the user's accounts, and their own files. */
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

/** Customers and their objects, for staff. */
async function customerHits(text: string, signal: AbortSignal): Promise<Found> {
  const { list } = await call('GET /api/v4/search @staff', { query: { q: text }, signal, ignoreErrors: true })
  return { hits: list, files: [] }
}

/** Maximum number of files shown; the file list has them all. */
const mostFiles = 6

/** Debounce before the server is queried, in milliseconds. */
const rest = 150

export interface Hits extends Found {
  /** The results for the current text are loading. */
  pending: boolean
  failed: boolean
  retry: () => unknown
}

/**
 * Search results for a text. Each text is its own query, so a late response never replaces a newer one;
 * superseded requests are cancelled.
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
