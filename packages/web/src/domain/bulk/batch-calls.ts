import type { Batch, BatchState } from '@gatehouse/contract/directory/bulk'
import { kinds, mailKinds } from '@gatehouse/contract/directory/kinds'
import type { QueryClient } from '@tanstack/react-query'
import { call, type RouteKey } from '../../platform/api/api.ts'
import { apiQuery } from '../../platform/api/query.tsx'
import { rereadOwnStatus } from '../../platform/session/own-status.ts'
import { readsOf } from '../directory/kind-calls.ts'

/** Milliseconds between polls of work in progress. */
const lookEvery = 1000

/** Whether the batch has reached a final state. */
export function isOver(state: BatchState): boolean {
  return state === 'done' || state === 'cancelled'
}

/** Whether the server is working: validating rows, or applying changes. */
export function isUnderWay(state: BatchState): boolean {
  return state === 'reading' || state === 'checking' || state === 'running'
}

/** The query of a batch, polled while it is in progress. */
export function batchQuery(id: string) {
  return {
    ...apiQuery('GET /api/v4/batches/{id}', { params: { id } }),
    staleTime: 0,
    refetchInterval: (query: { state: { data: Batch | undefined } }) => {
      const { data } = query.state
      return data === undefined || isUnderWay(data.state) ? lookEvery : (false as const)
    },
  }
}

/** Lists contain users, so a batch of users or members changes them too. */
function listReads(objects: string): readonly RouteKey[] {
  const kind = mailKinds.find((one) => kinds[one].path === objects)
  return [
    ...(kind ? readsOf(kind) : []),
    ...(objects === 'users' ? (['GET /api/v4/users/summary'] as const) : []),
    ...(objects === 'users' || objects === 'members' ? readsOf('group') : []),
  ]
}

/** Invalidates everything that shows a batch's objects. */
export async function forgetBatch(client: QueryClient, { id, objects }: Batch): Promise<void> {
  const routes = [...listReads(objects), 'GET /api/v4/events', 'GET /api/v4/skus'] as const
  for (const route of [...routes, 'GET /api/v4/batches'] as const) {
    void client.invalidateQueries({ queryKey: [route] })
  }
  void client.invalidateQueries({ queryKey: ['GET /api/v4/batches/{id}/rows', { id }] })
  if (objects === 'domains') await rereadOwnStatus()
}

/** Cancels a batch before its next row. */
export async function cancelBatch(client: QueryClient, id: string): Promise<string> {
  const params = { id }
  const { message, batch } = await call('POST /api/v4/batches/{id}/cancel', { params, body: {} })
  client.setQueryData(batchQuery(id).queryKey, batch)
  await forgetBatch(client, batch)
  return message
}

/** The share of processed rows. */
export function shareDone({ total, counts, state }: Batch): number {
  const open = state === 'running' ? counts.open + counts.ok : state === 'checking' ? counts.open : 0
  return total === 0 ? 0 : (total - open) / total
}
