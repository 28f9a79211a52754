import type { Command } from '../platform/cli/command.ts'
import type { RoomManifest } from '../platform/room-manifest.ts'
import type { SiteConfig } from '../platform/settings/site-settings.ts'
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
  commands: [migrateCommand, ...secretCommands, ...operationsCommands],
} satisfies RoomManifest<SiteConfig, { readonly askHealth: AskHealth }>
