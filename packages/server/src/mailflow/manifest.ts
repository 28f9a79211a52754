import type { RoomManifest } from '../platform/room-manifest.ts'
import { decisionSettings } from './decisions/decision-settings.ts'
import { dkimCommands } from './dkim/dkim-commands.ts'
import { dkimSettings } from './dkim/dkim-settings.ts'
import { filterSettings } from './filter/filter-settings.ts'
import { gatewayCommands } from './gateway/gateway-commands.ts'
import { gatewaySettings, gatewaySettingsProblem } from './gateway/gateway-settings.ts'
import { greylistCommands } from './greylist/greylist-commands.ts'
import type { MailflowConfig } from './plugin.ts'
import { rateCommands } from './rate-limit/rate-commands.ts'
import { rateLimitSettings } from './rate-limit/rate-limit-settings.ts'

export const mailflow = {
  settings: {
    'Mail policies': { ...decisionSettings, ...rateLimitSettings, ...dkimSettings, ...filterSettings },
    'Mail gateway': gatewaySettings,
  },
  contradictions: [gatewaySettingsProblem],
  commands: [...greylistCommands, ...rateCommands, ...dkimCommands, ...gatewayCommands],
} satisfies RoomManifest<MailflowConfig>
