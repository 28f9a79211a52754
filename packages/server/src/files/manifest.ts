import type { RoomManifest } from '../platform/room-manifest.ts'
import type { SiteConfig } from '../platform/settings/site-settings.ts'
import { type FileSettings, fileSettings, fileSettingsProblem } from './file-settings.ts'

export const files = {
  settings: { Files: fileSettings },
  contradictions: [fileSettingsProblem],
  commands: {
    'file-commands': async () => (await import('./storage/file-commands.ts')).fileCommands,
  },
} satisfies RoomManifest<SiteConfig & FileSettings>
