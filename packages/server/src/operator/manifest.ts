import type { FileSettings } from '../files/file-settings.ts'
import type { RoomManifest } from '../platform/room-manifest.ts'
import type { SiteConfig } from '../platform/settings/site-settings.ts'
import { type BackupSettings, backupSettings } from './backup/backup-settings.ts'
import type { AskHealth } from './operations/health.ts'

export const operator = {
  settings: { Backup: backupSettings },
  commands: {
    'operations-commands': async () =>
      (await import('./operations/operations-commands.ts')).operationsCommands,
    'secret-commands': async () => (await import('./secret-commands.ts')).secretCommands,
  },
  rawCommands: {
    'backup-commands': async () => (await import('./backup/backup-commands.ts')).backupCommands,
    'schema-commands': async () => (await import('./schema/schema-commands.ts')).schemaCommands,
  },
} satisfies RoomManifest<SiteConfig & FileSettings & BackupSettings, { readonly askHealth: AskHealth }>
