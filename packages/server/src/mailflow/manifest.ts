import type { RoomManifest } from '../platform/room-manifest.ts'
import { decisionSettings } from './decisions/decision-settings.ts'
import { dkimSettings } from './dkim/dkim-settings.ts'
import { filterSettings } from './filter/filter-settings.ts'
import { gatewaySettings, gatewaySettingsProblem } from './gateway/gateway-settings.ts'
import type { MailflowConfig } from './plugin.ts'
import { rateLimitSettings } from './rate-limit/rate-limit-settings.ts'

export const mailflow = {
  settings: {
    'Mail policies': { ...decisionSettings, ...rateLimitSettings, ...dkimSettings, ...filterSettings },
    'Mail gateway': gatewaySettings,
  },
  contradictions: [gatewaySettingsProblem],
  commands: {
    'dkim-commands': async () => (await import('./dkim/dkim-commands.ts')).dkimCommands,
    'gateway-commands': async () => (await import('./gateway/gateway-commands.ts')).gatewayCommands,
    'greylist-commands': async () => (await import('./greylist/greylist-commands.ts')).greylistCommands,
    'rate-commands': async () => (await import('./rate-limit/rate-commands.ts')).rateCommands,
  },
} satisfies RoomManifest<MailflowConfig>
