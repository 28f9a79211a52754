import type { RoomManifest } from '../platform/room-manifest.ts'
import type { FeatureSettings } from '../platform/settings/feature-settings.ts'

export const accountLifecycle = {
  commands: {
    'restore-command': async () => [(await import('./restore-command.ts')).restoreCommand],
  },
} satisfies RoomManifest<FeatureSettings>
