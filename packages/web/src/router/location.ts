import type { HistoryLocation } from '@tanstack/history'

/** State of a history entry besides its URL. Screens add their own fields. */
// biome-ignore lint/suspicious/noEmptyInterface: screens extend it
export interface HistoryState {}

/** Query values as in the URL. */
export type Query = Readonly<Record<string, string | undefined>>

/** A location in the application, without the base path. */
export interface Location {
  /** Unique per history entry. */
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

/** Target of a link or a navigation. */
export interface Target {
  /** A path; `.` is the current one. */
  to?: string
  /** Path, query and hash together, instead of `to`. */
  href?: string
  /** Undefined values are omitted. */
  search?: Readonly<Record<string, unknown>>
  hash?: string
}

/** Parses a history location below the base path (`''` for none). */
export function readLocation({ pathname, search, hash, state }: HistoryLocation, base: string): Location {
  const path = isBelow(pathname, base) ? pathname.slice(base.length) || '/' : pathname
  return {
    key: state.key ?? '',
    href: path + search + hash,
    pathname: path,
    search: Object.fromEntries(new URLSearchParams(search)),
    searchStr: search,
    hash: hash.slice(1),
    // set by screens, besides the history's own fields
    state: state as HistoryState,
  }
}

/** Resolves path, query and hash of a target against the current path. */
export function hrefOf({ to = '.', href, search = {}, hash }: Target, current: string): string {
  if (href !== undefined) return href
  const path = to === '.' ? current : to
  return path + writeQuery(search) + (hash ? `#${hash}` : '')
}

/** Whether a path equals the given one or is below it. */
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
