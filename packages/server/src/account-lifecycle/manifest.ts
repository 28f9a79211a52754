import type { RoomManifest } from '../platform/room-manifest.ts'
import type { FeatureSettings } from '../platform/settings/feature-settings.ts'
import { restoreCommand } from './restore-command.ts'

export const accountLifecycle = {
  commands: [restoreCommand],
} satisfies RoomManifest<FeatureSettings>
