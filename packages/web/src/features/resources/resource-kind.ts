import type { ResourceDetail } from '@gatehouse/contract/directory/resources'
import IconDoor from '@tabler/icons-react/dist/esm/icons/IconDoor.mjs'
import type { Kind } from '../../domain/directory/kind.ts'
import type { FieldLabels } from '../../domain/directory/labels.ts'
import { type Answer, call } from '../../platform/api/api.ts'
import { apiQuery } from '../../platform/api/query.tsx'

export const resourceKind: Kind = {
  name: 'resource',
  title: 'section.resources',
  icon: IconDoor,
  list: '/resources',
  page: '/resource',
  permission: 'resources',
  skuType: 'resource',
  objectType: 'resource',
  reads: ['GET /api/v4/resources', 'GET /api/v4/resources/{id}'],
  remove: (id) => call('DELETE /api/v4/resources/{id}', { params: { id: String(id) } }),
  restore: (id) => call('POST /api/v4/resources/{id}/restore', { params: { id: String(id) }, body: {} }),
}

/** Words for the fields of a resource, in the order of its form. */
export const resourceLabels: FieldLabels = {
  name: 'directory.name',
  email: 'directory.email',
  invitation_policy: 'resources.policy',
}

/** The query of one resource. */
export function resourceQuery(id: number | string) {
  return apiQuery('GET /api/v4/resources/{id}', { params: { id: String(id) } })
}

/** A resource with what a status call has told. */
export function withStatus(
  resource: ResourceDetail,
  answer: Answer<'GET /api/v4/resources/{id}/status'>,
): ResourceDetail {
  const { status: _outcome, message: _message, process, processState, isDone, ...flags } = answer
  return { ...resource, ...flags, statusInfo: { process, processState, isDone } }
}
