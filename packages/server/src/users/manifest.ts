import type { RoomManifest } from '../platform/room-manifest.ts'
import { userSettings } from './user-settings.ts'

export const users = {
  settings: { 'Users and passwords': userSettings },
  commands: {
    'state-commands': async () => (await import('./commands/state-commands.ts')).stateCommands,
  },
} satisfies RoomManifest<unknown>
