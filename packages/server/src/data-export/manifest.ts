import type { BillingConfig } from '../billing/billing-settings.ts'
import type { FileSettings } from '../files/file-settings.ts'
import type { RoomManifest } from '../platform/room-manifest.ts'
import type { SiteConfig } from '../platform/settings/site-settings.ts'
import type { BackendSettings } from '../provisioning/backend-settings.ts'
import { type ExportSettings, exportSettings } from './export-settings.ts'

export const dataExport = {
  settings: { Exports: exportSettings },
  commands: {
    'export-commands': async () => (await import('./export-commands.ts')).exportCommands,
  },
} satisfies RoomManifest<SiteConfig & BillingConfig & FileSettings & BackendSettings & ExportSettings>
