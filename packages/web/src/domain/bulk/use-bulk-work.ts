import type { Batch, BulkInput, BulkPreview } from '@gatehouse/contract/directory/bulk'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../platform/api/api.ts'
import { ApiError } from '../../platform/api/api-error.ts'
import { reportFieldErrors } from '../../platform/api/report-error.ts'
import { useRequestKey } from '../../platform/api/request-key.ts'
import { batchQuery } from './batch-calls.ts'

export interface BulkWork {
  preview: BulkPreview | undefined
  /** Why there is no preview. */
  problem: Error | null
  retry: () => unknown
  /** The work, once started. */
  batch: Batch | undefined
  start: () => Promise<void>
}

/** Previews an action on many objects, starts it once, and polls it. No input: a choice is missing. */
export function useBulkWork(input: BulkInput | undefined): BulkWork {
  const client = useQueryClient()
  const [id, setId] = useState<string>()
  const said = JSON.stringify(input ?? null)
  const requestKey = useRequestKey()
  const preview = useQuery({
    queryKey: ['preview of bulk work', said],
    queryFn: ({ signal }) =>
      call('POST /api/v4/bulk', { body: input && { ...input, dryRun: true }, signal, ignoreErrors: true }),
    enabled: input !== undefined && id === undefined,
    staleTime: 0,
    gcTime: 0,
    refetchOnWindowFocus: false,
  })
  const batch = useQuery({ ...batchQuery(id ?? ''), enabled: id !== undefined })
  const start = async () => {
    if (input === undefined) return
    try {
      const { batch: begun } = await call('POST /api/v4/bulk', {
        body: input,
        headers: requestKey(input),
      })
      if (!begun) return
      client.setQueryData(batchQuery(begun.id).queryKey, begun)
      setId(begun.id)
    } catch (error) {
      if (error instanceof ApiError && error.errors) reportFieldErrors(error)
      // The obstacle appeared after the preview was made.
      void preview.refetch()
    }
  }
  return {
    preview: preview.data?.preview,
    problem: preview.error,
    retry: preview.refetch,
    batch: id === undefined ? undefined : batch.data,
    start,
  }
}
