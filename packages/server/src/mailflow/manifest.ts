import type { RoomManifest } from '../platform/room-manifest.ts'
import { decisionSettings } from './decisions/decision-settings.ts'
import { filterSettings } from './filter/filter-settings.ts'
import { gatewaySettings } from './gateway/gateway-settings.ts'
import type { MailflowConfig } from './plugin.ts'

export const mailflow = {
  settings: { 'Mail policies': { ...decisionSettings, ...filterSettings, ...gatewaySettings } },
} satisfies RoomManifest<MailflowConfig>
