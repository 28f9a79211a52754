import type { BillingConfig } from '../billing/billing-settings.ts'
import type { RoomManifest } from '../platform/room-manifest.ts'
import type { IdentityConfig } from '../sessions/plugin.ts'
import { type MeetSettings, meetSettings, meetSettingsProblem } from './meet-settings.ts'

export const meetings = {
  settings: { Meetings: meetSettings },
  contradictions: [meetSettingsProblem],
  commands: {
    'room-commands': async () => (await import('./room-commands.ts')).roomCommands,
  },
} satisfies RoomManifest<IdentityConfig & BillingConfig & MeetSettings>
