import type { FolderDetail } from '@gatehouse/contract/directory/folders'
import IconFolder from '@tabler/icons-react/dist/esm/icons/IconFolder.mjs'
import type { Kind } from '../../domain/directory/kind.ts'
import type { FieldLabels } from '../../domain/directory/labels.ts'
import { type Answer, call } from '../../platform/api/api.ts'
import { apiQuery } from '../../platform/api/query.tsx'

export const folderKind: Kind = {
  name: 'folder',
  title: 'section.folders',
  icon: IconFolder,
  list: '/shared-folders',
  page: '/shared-folder',
  permission: 'folders',
  skuType: 'sharedFolder',
  objectType: 'shared-folder',
  reads: ['GET /api/v4/shared-folders', 'GET /api/v4/shared-folders/{id}'],
  remove: (id) => call('DELETE /api/v4/shared-folders/{id}', { params: { id: String(id) } }),
  restore: (id) => call('POST /api/v4/shared-folders/{id}/restore', { params: { id: String(id) }, body: {} }),
}

/** Words for the fields of a folder, in the order of its form. */
export const folderLabels: FieldLabels = {
  name: 'directory.name',
  type: 'folders.type',
  email: 'directory.email',
  aliases: 'folders.aliases',
  acl: 'folders.access',
}

/** The query of one folder. */
export function folderQuery(id: number | string) {
  return apiQuery('GET /api/v4/shared-folders/{id}', { params: { id: String(id) } })
}

/** A folder with what a status call has told. */
export function withStatus(
  folder: FolderDetail,
  answer: Answer<'GET /api/v4/shared-folders/{id}/status'>,
): FolderDetail {
  const { status: _outcome, message: _message, process, processState, isDone, ...flags } = answer
  return { ...folder, ...flags, statusInfo: { process, processState, isDone } }
}
