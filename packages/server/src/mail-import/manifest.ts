import type { RoomManifest } from '../platform/room-manifest.ts'
import { type ImportSettings, importSettings } from './import-settings.ts'
import type { StoreSettings } from './target/mail-target.ts'

export const mailImport = {
  settings: { Groupware: importSettings },
  commands: {
    'import-commands': async () => (await import('./import-commands.ts')).importCommands,
  },
} satisfies RoomManifest<ImportSettings & StoreSettings>
