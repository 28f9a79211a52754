import type { RoomManifest } from '../platform/room-manifest.ts'
import { filterCommands } from './filter-commands.ts'
import type { SieveSettings } from './sieve-access.ts'

export const mailFilters = { commands: filterCommands } satisfies RoomManifest<SieveSettings>
