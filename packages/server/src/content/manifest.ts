import type { RoomManifest } from '../platform/room-manifest.ts'
import { contentSettings } from './content-settings.ts'

export const content = { settings: { Pages: contentSettings } } satisfies RoomManifest<unknown>
