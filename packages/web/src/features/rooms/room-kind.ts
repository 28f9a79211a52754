import type { FieldLabels } from '../../domain/directory/labels.ts'
import { basePath } from '../../platform/config.ts'

/** Labels of a room's fields, in form order. */
export const roomLabels: FieldLabels = {
  description: 'words.description',
  skus: 'rooms.subscriptions',
}

/** Polling interval of the rooms' live state, in milliseconds. */
export const liveEvery = 15_000

/** Path of a room's meeting, within this installation. */
export function meetingPath(name: string): string {
  return `${basePath()}/meet/${name}`
}

/** Full URL, for sharing. */
export function meetingAddress(name: string): string {
  return new URL(meetingPath(name), window.location.origin).href
}
