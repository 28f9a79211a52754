import type { FileItem } from '@gatehouse/contract/files/file-items'
import type { QueryClient } from '@tanstack/react-query'
import { call } from '../../platform/api/api.ts'
import { ApiError } from '../../platform/api/api-error.ts'
import { apiQuery } from '../../platform/api/query.tsx'
import { basePath, config } from '../../platform/config.ts'
import { hasPermission } from '../../platform/session/auth.ts'
import { saveUrl } from './save-url.ts'

/** An item as the acts on it need it. */
export type ActedItem = Pick<FileItem, 'id' | 'name' | 'type'>

/** The query of one item, by its id or that of a share. */
export function itemQuery(id: string) {
  return apiQuery('GET /api/v4/fs/{id}', { params: { id } })
}

/** The query of the room that the caller has. */
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

/** What screens showed of files is out of date; `later`: it is asked for again only when it is shown again. */
export async function forgetFiles(client: QueryClient, { later = false } = {}): Promise<void> {
  const refetchType = later ? 'none' : 'active'
  await Promise.all(shown.map((route) => client.invalidateQueries({ queryKey: [route], refetchType })))
}

/** Carries something out; what fails because somebody was faster is shown as it is by now. */
export async function orForget<T>(client: QueryClient, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (isGone(error)) await forgetFiles(client)
    throw error
  }
}

/** Whether something is not there any more, or was never to be seen. */
export function isGone(error: unknown): boolean {
  return error instanceof ApiError && error.status === 404
}

/** Where an item is shown. Folders open in the list, save for people who have no files of their own. */
export function itemPath({ id, type }: Pick<FileItem, 'id' | 'type'>): string {
  return type === 'collection' && hasPermission('files') ? `/files/${id}` : `/file/${id}`
}

/** Has the browser load a file down, without keeping it in memory. */
export async function downloadFile(id: string): Promise<void> {
  const { downloadUrl } = await call('GET /api/v4/fs/{id}', { params: { id }, query: { downloadUrl: '1' } })
  if (downloadUrl) saveUrl(downloadUrl)
}

/** Has the browser load items down: one file as it is, anything else as an archive. */
export async function downloadItems(items: readonly ActedItem[]): Promise<void> {
  const [first] = items
  if (first && items.length === 1 && first.type === 'file') return downloadFile(first.id)
  const { downloadUrl } = await call('POST /api/v4/fs/zip', { body: { ids: items.map(({ id }) => id) } })
  saveUrl(downloadUrl)
}

/** An address of the server as this page reaches it, whatever host the server thinks that it has; content may have its own. */
export function ownUrl(url: string): string {
  const { origin, pathname, search } = new URL(url, window.location.href)
  if (origin === config['app.files_origin']) return url
  const at = pathname.indexOf('/api/')
  return `${basePath()}${at < 0 ? pathname : pathname.slice(at)}${search}`
}
