import { type DirectoryKind, type Kind, kinds, type PathOf } from '@gatehouse/contract/directory/kinds'
import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { type Answer, call } from '../../platform/api/api.ts'
import { apiQuery } from '../../platform/api/query.tsx'

/** Kinds of objects whose pages are made of the parts in this folder. */
export type ObjectKind = Exclude<Kind, 'user'>

/** An object as its own page has it. */
export type Detail<K extends ObjectKind> = Answer<`GET /api/v4/${PathOf<K>}/{id}`>

/** One page of the list of a kind. */
export type ListAnswer<K extends ObjectKind> = Answer<`GET /api/v4/${PathOf<K>}`>

/** A row of the list of a kind. */
export type Row<K extends ObjectKind> = ListAnswer<K>['list'][number]

/** Which part of a list is asked for. */
interface ListQuery {
  page?: number
  size?: number
  search?: string | null
  sort?: string
  order?: 'asc' | 'desc'
  status?: string | null
}

// Calls below are typed for all kinds together. An answer is that of the kind whose path was called, which only a cast
// can say.

/** Where the calls of a kind are. */
export function pathOf(kind: ObjectKind): PathOf<ObjectKind> {
  return kinds[kind].path
}

/** The number of an object, for its place in a path. */
export function paramsOf(id: number | string): { id: string } {
  return { id: String(id) }
}

/** The query of one page of a list. The key is the one that `apiQuery` gives the call. */
export function listQuery<K extends ObjectKind>(kind: K, query: ListQuery) {
  const route = `GET /api/v4/${pathOf(kind)}` as const
  return queryOptions({
    queryKey: [route, null, query] as const,
    queryFn: ({ signal }) =>
      // each list has its own sort keys and states, which its page takes from the contract
      call(route, { query: query as object, signal, ignoreErrors: true }) as Promise<ListAnswer<K>>,
  })
}

/** The query of one object. */
export function objectQuery<K extends ObjectKind>(kind: K, id: number | string) {
  const route = `GET /api/v4/${pathOf(kind)}/{id}` as const
  const params = paramsOf(id)
  return queryOptions({
    queryKey: [route, params, null] as const,
    queryFn: ({ signal }) => call(route, { params, signal, ignoreErrors: true }) as Promise<Detail<K>>,
  })
}

/** The query of the subscriptions that an object has or may have. */
export function skusQuery(kind: ObjectKind, id: number) {
  return apiQuery(`GET /api/v4/${pathOf(kind)}/{id}/skus`, { params: paramsOf(id) })
}

/** Kinds whose set-up takes some steps. */
type SetUpKind = DirectoryKind | 'domain'

type StatusAnswer<K extends SetUpKind> = Answer<`GET /api/v4/${PathOf<K>}/{id}/status`>

/** Asks how far an object is set up; with `refresh` the server tries to get on with it. */
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

/** An object with what a status call has told. */
export function withStatus<D extends object>(object: D, answer: StatusAnswer<SetUpKind>): D {
  const { status: _outcome, message: _message, process, processState, isDone, ...flags } = answer
  return { ...object, ...flags, statusInfo: { process, processState, isDone } }
}

/** Deletes an object softly. */
export function removeObject(kind: ObjectKind, id: number) {
  return call(`DELETE /api/v4/${pathOf(kind)}/{id}`, { params: paramsOf(id) })
}

/** Brings a deleted object back. */
export function restoreObject(kind: Kind, id: number) {
  const path: PathOf<Kind> = kinds[kind].path
  return call(`POST /api/v4/${path}/{id}/restore`, { params: paramsOf(id), body: {} })
}

/** The calls whose answers a change of an object makes out of date. */
export function readsOf(kind: Kind) {
  const path: PathOf<Kind> = kinds[kind].path
  return [`GET /api/v4/${path}`, `GET /api/v4/${path}/{id}`] as const
}

/**
 * Lets everything that shows objects of a kind follow a change. With `later` what is on the screen stays as it is
 * until it is opened again: the page of an object that is no more would only learn that it is gone.
 */
export function forgetKind(client: QueryClient, kind: ObjectKind, { later = false } = {}): void {
  const refetchType = later ? 'none' : 'active'
  const skus = `GET /api/v4/${pathOf(kind)}/{id}/skus` as const
  for (const route of [...readsOf(kind), skus, 'GET /api/v4/events', 'GET /api/v4/skus'] as const) {
    void client.invalidateQueries({ queryKey: [route], refetchType })
  }
}
