import type { FileSettings } from '../files/file-settings.ts'
import type { RoomManifest } from '../platform/room-manifest.ts'
import type { SiteConfig } from '../platform/settings/site-settings.ts'
import { backupCommands } from './backup/backup-commands.ts'
import { type BackupSettings, backupSettings } from './backup/backup-settings.ts'
import type { AskHealth } from './operations/health.ts'
import { operationsCommands } from './operations/operations-commands.ts'
import { schemaCommands } from './schema/schema-commands.ts'
import { secretCommands } from './secret-commands.ts'

export const operator = {
  settings: { Backup: backupSettings },
  commands: [...secretCommands, ...operationsCommands],
  rawCommands: [...schemaCommands, ...backupCommands],
} satisfies RoomManifest<SiteConfig & FileSettings & BackupSettings, { readonly askHealth: AskHealth }>
