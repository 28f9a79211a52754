import type { RoomManifest } from '../platform/room-manifest.ts'
import { passwordSettings } from './password-settings.ts'

export const passwords = {
  settings: { 'Users and passwords': passwordSettings },
} satisfies RoomManifest<unknown>
