import type { RoomManifest } from '../platform/room-manifest.ts'
import { filterCommands } from './filter-commands.ts'
import { type SieveSettings, sieveSettings, sieveSettingsProblem } from './sieve-settings.ts'

export const mailFilters = {
  settings: { 'Mail filters': sieveSettings },
  contradictions: [sieveSettingsProblem],
  commands: filterCommands,
} satisfies RoomManifest<SieveSettings>
