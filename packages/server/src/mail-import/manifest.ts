import type { RoomManifest } from '../platform/room-manifest.ts'
import { importCommands } from './import-commands.ts'
import { type ImportSettings, importSettings } from './import-settings.ts'
import type { StoreSettings } from './target/mail-target.ts'

export const mailImport = {
  settings: { Groupware: importSettings },
  commands: importCommands,
} satisfies RoomManifest<ImportSettings & StoreSettings>
