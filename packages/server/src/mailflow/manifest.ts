import type { RoomManifest } from '../platform/room-manifest.ts'
import { decisionSettings } from './decisions/decision-settings.ts'
import { greylistCommands } from './greylist/greylist-commands.ts'
import type { MailflowConfig } from './plugin.ts'

export const mailflow = {
  settings: { 'Mail policies': decisionSettings },
  commands: greylistCommands,
} satisfies RoomManifest<MailflowConfig>
