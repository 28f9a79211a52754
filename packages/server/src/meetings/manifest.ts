import type { BillingConfig } from '../billing/billing-settings.ts'
import type { RoomManifest } from '../platform/room-manifest.ts'
import type { IdentityConfig } from '../sessions/plugin.ts'
import { type MeetSettings, meetSettings, meetSettingsProblem } from './meet-settings.ts'
import { roomCommands } from './room-commands.ts'

export const meetings = {
  settings: { Meetings: meetSettings },
  contradictions: [meetSettingsProblem],
  commands: roomCommands,
} satisfies RoomManifest<IdentityConfig & BillingConfig & MeetSettings>
