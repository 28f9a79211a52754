import type { RoomManifest } from '../platform/room-manifest.ts'
import type { SieveSettings } from './sieve-access.ts'

export const mailFilters = {
  commands: {
    'filter-commands': async () => (await import('./filter-commands.ts')).filterCommands,
  },
} satisfies RoomManifest<SieveSettings>
