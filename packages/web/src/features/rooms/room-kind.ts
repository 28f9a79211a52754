import type { FieldLabels } from '../../domain/directory/labels.ts'

/** Labels of a room's fields, in form order. */
export const roomLabels: FieldLabels = {
  description: 'words.description',
  skus: 'rooms.subscriptions',
}

/** Polling interval of the rooms' live state, in milliseconds. */
export const liveEvery = 15_000
