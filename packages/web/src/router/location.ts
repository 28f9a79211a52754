import type { HistoryLocation } from '@tanstack/history'

/** What an entry of the browser's history remembers beside its address. Screens that keep something add it here. */
// biome-ignore lint/suspicious/noEmptyInterface: screens extend it
export interface HistoryState {}

/** Query values as they stand in the address. */
export type Query = Readonly<Record<string, string | undefined>>

/** An address of the application, without the base path. */
export interface Location {
  /** Differs for every entry of the history. */
  readonly key: string
  /** Path, query and hash. */
  readonly href: string
  readonly pathname: string
  readonly search: Query
  /** The query with its question mark. */
  readonly searchStr: string
  /** Without the number sign. */
  readonly hash: string
  readonly state: HistoryState
}

/** Where a link or a navigation leads. */
export interface Target {
  /** A path; `.` is the current one. */
  to?: string
  /** Path, query and hash together, instead of `to`. */
  href?: string
  /** Values that are left out when undefined. */
  search?: Readonly<Record<string, unknown>>
  hash?: string
}

/** Reads an address of the browser's history below the base path (`''` for none). */
export function readLocation({ pathname, search, hash, state }: HistoryLocation, base: string): Location {
  const path = isBelow(pathname, base) ? pathname.slice(base.length) || '/' : pathname
  return {
    key: state.key ?? '',
    href: path + search + hash,
    pathname: path,
    search: Object.fromEntries(new URLSearchParams(search)),
    searchStr: search,
    hash: hash.slice(1),
    // what screens have put there, beside what the history adds for itself
    state: state as HistoryState,
  }
}

/** Path, query and hash of a target, seen from the current path. */
export function hrefOf({ to = '.', href, search = {}, hash }: Target, current: string): string {
  if (href !== undefined) return href
  const path = to === '.' ? current : to
  return path + writeQuery(search) + (hash ? `#${hash}` : '')
}

/** Whether a path is the given one or lies below it. */
export function isBelow(path: string, root: string): boolean {
  return path === root || path.startsWith(root.endsWith('/') ? root : `${root}/`)
}

function writeQuery(search: Readonly<Record<string, unknown>>): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(search)) {
    if (typeof value === 'string' || typeof value === 'number') query.set(name, String(value))
  }
  return query.size > 0 ? `?${query}` : ''
}
