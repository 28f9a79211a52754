import type { FieldLabels } from '../../domain/directory/labels.ts'
import { basePath } from '../../platform/config.ts'

/** Words for the fields of a room, in the order of its form. */
export const roomLabels: FieldLabels = {
  description: 'words.description',
  skus: 'rooms.subscriptions',
}

/** How often what is going on in rooms is looked at again, in milliseconds. */
export const liveEvery = 15_000

/** Path of a room's meeting, within this installation. */
export function meetingPath(name: string): string {
  return `${basePath()}/meet/${name}`
}

/** The whole address, for passing on. */
export function meetingAddress(name: string): string {
  return new URL(meetingPath(name), window.location.origin).href
}
