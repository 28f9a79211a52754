import type { FileItem } from '@gatehouse/contract/files/file-items'
import type { QueryClient } from '@tanstack/react-query'
import { call } from '../../platform/api/api.ts'
import { ApiError } from '../../platform/api/api-error.ts'
import { apiQuery } from '../../platform/api/query.tsx'
import { basePath, config } from '../../platform/config.ts'
import { hasPermission } from '../../platform/session/auth.ts'
import { saveUrl } from '../../ui/save-url.ts'

/** The fields of an item that actions need. */
export type ActedItem = Pick<FileItem, 'id' | 'name' | 'type'>

/** Query of one item, by its id or that of a share. */
export function itemQuery(id: string) {
  return apiQuery('GET /api/v4/fs/{id}', { params: { id } })
}

/** Query of the caller's storage quota. */
export function quotaQuery() {
  return apiQuery('GET /api/v4/fs/quota')
}

const shown = [
  'GET /api/v4/fs',
  'GET /api/v4/fs/{id}',
  'GET /api/v4/fs/{id}/versions',
  'GET /api/v4/fs/{id}/permissions',
  'GET /api/v4/fs/{id}/links',
  'GET /api/v4/fs/{id}/events',
  'GET /api/v4/fs/quota',
  'GET /api/v4/fs/shared',
  'GET /api/v4/fs/trash',
  'GET /api/v4/fs/uploads',
] as const

/** Invalidates cached files; with `later`, they are refetched only when shown again. */
export async function forgetFiles(client: QueryClient, { later = false } = {}): Promise<void> {
  const refetchType = later ? 'none' : 'active'
  await Promise.all(shown.map((route) => client.invalidateQueries({ queryKey: [route], refetchType })))
}

/** Runs an action. If it fails because of a concurrent change, refetches the files. */
export async function orForget<T>(client: QueryClient, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (isGone(error)) await forgetFiles(client)
    throw error
  }
}

/** Whether an item no longer exists or was never visible. */
export function isGone(error: unknown): boolean {
  return error instanceof ApiError && error.status === 404
}

/** Path of an item. Folders open in the list, except for users without files of their own. */
export function itemPath({ id, type }: Pick<FileItem, 'id' | 'type'>): string {
  return type === 'collection' && hasPermission('files') ? `/files/${id}` : `/file/${id}`
}

/** Makes the browser download a file without holding it in memory. */
export async function downloadFile(id: string): Promise<void> {
  const { downloadUrl } = await call('GET /api/v4/fs/{id}', { params: { id }, query: { downloadUrl: '1' } })
  if (downloadUrl) saveUrl(downloadUrl)
}

/** Makes the browser download items: a single file as it is, anything else as an archive. */
export async function downloadItems(items: readonly ActedItem[]): Promise<void> {
  const [first] = items
  if (first && items.length === 1 && first.type === 'file') return downloadFile(first.id)
  const { downloadUrl } = await call('POST /api/v4/fs/zip', { body: { ids: items.map(({ id }) => id) } })
  saveUrl(downloadUrl)
}

/**
 * Rewrites a server URL to the host of this page, whatever host the server assumes. Content may have its own
 * host.
 */
export function ownUrl(url: string): string {
  const { origin, pathname, search } = new URL(url, window.location.href)
  if (origin === config['app.files_origin']) return url
  const at = pathname.indexOf('/api/')
  return `${basePath()}${at < 0 ? pathname : pathname.slice(at)}${search}`
}
