import type { FileSettings } from '../files/file-settings.ts'
import type { Command } from '../platform/cli/command.ts'
import type { RoomManifest } from '../platform/room-manifest.ts'
import type { SiteConfig } from '../platform/settings/site-settings.ts'
import { backupCommands } from './backup/backup-commands.ts'
import { type BackupSettings, backupSettings } from './backup/backup-settings.ts'
import type { AskHealth } from './operations/health.ts'
import { operationsCommands } from './operations/operations-commands.ts'
import { secretCommands } from './secret-commands.ts'

const migrateCommand: Command = {
  name: 'db:migrate',
  usage: 'db:migrate',
  summary: 'upgrade the database to the current schema',
  needs: 0,
  // every command does so before it runs
  run: async ({ print }) => print('The database is up to date.'),
}

export const operator = {
  settings: { Backup: backupSettings },
  commands: [migrateCommand, ...secretCommands, ...operationsCommands],
  rawCommands: backupCommands,
} satisfies RoomManifest<SiteConfig & FileSettings & BackupSettings, { readonly askHealth: AskHealth }>
