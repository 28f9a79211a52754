import type { RoomManifest } from '../platform/room-manifest.ts'
import { decisionSettings } from './decisions/decision-settings.ts'
import { dkimCommands } from './dkim/dkim-commands.ts'
import { dkimSettings } from './dkim/dkim-settings.ts'
import type { MailflowConfig } from './plugin.ts'

export const mailflow = {
  settings: { 'Mail policies': { ...decisionSettings, ...dkimSettings } },
  commands: dkimCommands,
} satisfies RoomManifest<MailflowConfig>
