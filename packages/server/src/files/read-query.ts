import type { FileSortKey } from '@gatehouse/contract/files/file-items'
import { filePageSize } from '@gatehouse/contract/files/file-items'
import type { ListQuery } from './items/list-store.ts'

interface Wanted {
  readonly search?: string | null
  readonly type?: string | null
  readonly sort?: FileSortKey | null
  readonly order?: 'asc' | 'desc' | null
  readonly collections_first?: '0' | '1' | 'true' | 'false' | null
  readonly page?: number | null
  readonly size?: number | null
}

/** Returns true for `1` and `true`. */
export function isAsked(value: string | null | undefined): boolean {
  return value === '1' || value === 'true'
}

/** Returns offset and size of a page. */
export function pageOf(wanted: Pick<Wanted, 'page' | 'size'>): {
  readonly offset: number
  readonly limit: number
} {
  const limit = wanted.size ?? filePageSize
  return { offset: ((wanted.page ?? 1) - 1) * limit, limit }
}

/** Converts the query parameters of a list. */
export function listQuery(wanted: Wanted): ListQuery {
  return {
    search: wanted.search ?? null,
    type: wanted.type == null ? null : wanted.type === 'collection' ? 'collection' : 'file',
    sort: wanted.sort ?? 'name',
    order: wanted.order ?? 'asc',
    collectionsFirst: isAsked(wanted.collections_first),
    ...pageOf(wanted),
  }
}
