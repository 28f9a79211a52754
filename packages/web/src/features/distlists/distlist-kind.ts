import type { GroupDetail } from '@gatehouse/contract/directory/groups'
import IconList from '@tabler/icons-react/dist/esm/icons/IconList.mjs'
import type { Kind } from '../../domain/directory/kind.ts'
import type { FieldLabels } from '../../domain/directory/labels.ts'
import { type Answer, call } from '../../platform/api/api.ts'
import { apiQuery } from '../../platform/api/query.tsx'

export const distlistKind: Kind = {
  name: 'distlist',
  title: 'section.distlists',
  icon: IconList,
  list: '/distlists',
  page: '/distlist',
  permission: 'distlists',
  skuType: 'group',
  objectType: 'group',
  reads: ['GET /api/v4/groups', 'GET /api/v4/groups/{id}'],
  remove: (id) => call('DELETE /api/v4/groups/{id}', { params: { id: String(id) } }),
  restore: (id) => call('POST /api/v4/groups/{id}/restore', { params: { id: String(id) }, body: {} }),
}

/** Words for the fields of a list, in the order of its form. */
export const distlistLabels: FieldLabels = {
  name: 'directory.name',
  email: 'directory.email',
  members: 'distlists.members',
  sender_policy: 'distlists.senders',
}

/** The query of one list. */
export function distlistQuery(id: number | string) {
  return apiQuery('GET /api/v4/groups/{id}', { params: { id: String(id) } })
}

/** A list with what a status call has told. */
export function withStatus(list: GroupDetail, answer: Answer<'GET /api/v4/groups/{id}/status'>): GroupDetail {
  const { status: _outcome, message: _message, process, processState, isDone, ...flags } = answer
  return { ...list, ...flags, statusInfo: { process, processState, isDone } }
}
