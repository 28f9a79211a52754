import { type DirectoryKind, type Kind, kinds, type PathOf } from '@gatehouse/contract/directory/kinds'
import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { type Answer, call } from '../../platform/api/api.ts'
import { apiQuery } from '../../platform/api/query.tsx'

/** Kinds of objects whose pages use the components in this folder. */
export type ObjectKind = Exclude<Kind, 'user'>

/** An object as on its own page. */
export type Detail<K extends ObjectKind> = Answer<`GET /api/v4/${PathOf<K>}/{id}`>

/** A page of a kind's list. */
export type ListAnswer<K extends ObjectKind> = Answer<`GET /api/v4/${PathOf<K>}`>

/** A row of a kind's list. */
export type Row<K extends ObjectKind> = ListAnswer<K>['list'][number]

/** Pagination and filters of a list. */
interface ListQuery {
  page?: number
  size?: number
  search?: string | null
  sort?: string
  order?: 'asc' | 'desc'
  status?: string | null
}

// The calls below are typed for all kinds together. A response has the type of the kind whose path was
// called, which requires a cast.

/** Returns the API path of a kind. */
export function pathOf(kind: ObjectKind): PathOf<ObjectKind> {
  return kinds[kind].path
}

/** Returns an object's id as a path parameter. */
export function paramsOf(id: number | string): { id: string } {
  return { id: String(id) }
}

/** The query of a list page, with the same key that `apiQuery` uses for the call. */
export function listQuery<K extends ObjectKind>(kind: K, query: ListQuery) {
  const route = `GET /api/v4/${pathOf(kind)}` as const
  return queryOptions({
    queryKey: [route, null, query] as const,
    queryFn: ({ signal }) =>
      // each list has its own sort keys and states, which its page takes from the contract
      call(route, { query: query as object, signal, ignoreErrors: true }) as Promise<ListAnswer<K>>,
  })
}

/** The query of an object. */
export function objectQuery<K extends ObjectKind>(kind: K, id: number | string) {
  const route = `GET /api/v4/${pathOf(kind)}/{id}` as const
  const params = paramsOf(id)
  return queryOptions({
    queryKey: [route, params, null] as const,
    queryFn: ({ signal }) => call(route, { params, signal, ignoreErrors: true }) as Promise<Detail<K>>,
  })
}

/** The query of an object's current and available subscriptions. */
export function skusQuery(kind: ObjectKind, id: number) {
  return apiQuery(`GET /api/v4/${pathOf(kind)}/{id}/skus`, { params: paramsOf(id) })
}

/** Kinds with setup steps. */
type SetUpKind = DirectoryKind | 'domain'

type StatusAnswer<K extends SetUpKind> = Answer<`GET /api/v4/${PathOf<K>}/{id}/status`>

/** Loads an object's setup progress; with `refresh` the server tries to continue. */
export function loadStatus<K extends SetUpKind>(kind: K, id: number) {
  const path: PathOf<SetUpKind> = kinds[kind].path
  return ({ refresh, signal }: { refresh: boolean; signal: AbortSignal }) =>
    call(`GET /api/v4/${path}/{id}/status`, {
      params: paramsOf(id),
      query: refresh ? { refresh: '1' } : undefined,
      signal,
      ignoreErrors: !refresh,
    }) as Promise<StatusAnswer<K>>
}

/** Merges a status response into an object. */
export function withStatus<D extends object>(object: D, answer: StatusAnswer<SetUpKind>): D {
  const { status: _outcome, message: _message, process, processState, isDone, ...flags } = answer
  return { ...object, ...flags, statusInfo: { process, processState, isDone } }
}

/** Soft-deletes an object. */
export function removeObject(kind: ObjectKind, id: number) {
  return call(`DELETE /api/v4/${pathOf(kind)}/{id}`, { params: paramsOf(id) })
}

/** Restores a deleted object. */
export function restoreObject(kind: Kind, id: number) {
  const path: PathOf<Kind> = kinds[kind].path
  return call(`POST /api/v4/${path}/{id}/restore`, { params: paramsOf(id), body: {} })
}

/** The calls whose responses become stale when an object changes. */
export function readsOf(kind: Kind) {
  const path: PathOf<Kind> = kinds[kind].path
  return [`GET /api/v4/${path}`, `GET /api/v4/${path}/{id}`] as const
}

/**
 * Invalidates everything that shows objects of a kind. With `later`, mounted queries are only refetched when
 * opened again: the page of a deleted object would just get a 404.
 */
export function forgetKind(client: QueryClient, kind: ObjectKind, { later = false } = {}): void {
  const refetchType = later ? 'none' : 'active'
  const skus = `GET /api/v4/${pathOf(kind)}/{id}/skus` as const
  for (const route of [...readsOf(kind), skus, 'GET /api/v4/events', 'GET /api/v4/skus'] as const) {
    void client.invalidateQueries({ queryKey: [route], refetchType })
  }
}
