import type { RoomManifest } from '../platform/room-manifest.ts'
import type { SiteConfig } from '../platform/settings/site-settings.ts'
import { type FileSettings, fileSettings, fileSettingsProblem } from './file-settings.ts'
import { fileCommands } from './storage/file-commands.ts'

export const files = {
  settings: { Files: fileSettings },
  contradictions: [fileSettingsProblem],
  commands: fileCommands,
} satisfies RoomManifest<SiteConfig & FileSettings>
