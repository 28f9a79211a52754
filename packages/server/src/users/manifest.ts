import type { RoomManifest } from '../platform/room-manifest.ts'
import { stateCommands } from './commands/state-commands.ts'
import { userSettings } from './user-settings.ts'

export const users = {
  settings: { 'Users and passwords': userSettings },
  commands: stateCommands,
} satisfies RoomManifest<unknown>
