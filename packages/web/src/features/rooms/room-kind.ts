import type { Kind } from '../../domain/directory/kind.ts'
import type { FieldLabels } from '../../domain/directory/labels.ts'
import { call } from '../../platform/api/api.ts'
import { apiQuery } from '../../platform/api/query.tsx'
import { basePath } from '../../platform/config.ts'

/** What the shared machinery of objects has to know of rooms. They have no address of mail and no domain. */
export const roomKind: Pick<Kind, 'reads' | 'page' | 'restore'> = {
  page: '/room',
  reads: ['GET /api/v4/rooms', 'GET /api/v4/rooms/{id}', 'GET /api/v4/rooms/{id}/skus'],
  restore: (id) => call('POST /api/v4/rooms/{id}/restore', { params: { id: String(id) }, body: {} }),
}

/** Words for the fields of a room, in the order of its form. */
export const roomLabels: FieldLabels = {
  description: 'rooms.description',
  skus: 'rooms.subscriptions',
}

/** How often what is going on in rooms is looked at again, in milliseconds. */
export const liveEvery = 15_000

/** The query of one room. */
export function roomQuery(id: number | string) {
  return apiQuery('GET /api/v4/rooms/{id}', { params: { id: String(id) } })
}

/** Path of a room's meeting, within this installation. */
export function meetingPath(name: string): string {
  return `${basePath()}/meet/${name}`
}

/** The whole address, for passing on. */
export function meetingAddress(name: string): string {
  return new URL(meetingPath(name), window.location.origin).href
}
