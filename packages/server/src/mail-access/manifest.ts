import type { RoomManifest } from '../platform/room-manifest.ts'
import type { IdentityConfig } from '../sessions/plugin.ts'
import {
  type DiscoverySettings,
  discoverySettings,
  discoverySettingsProblem,
} from './discovery/discovery-settings.ts'
import { mailAuthSettings } from './sign-in/mail-auth-settings.ts'

export const mailAccess = {
  settings: {
    'Mail server authentication': mailAuthSettings,
    'Mail client discovery': discoverySettings,
  },
  contradictions: [discoverySettingsProblem],
  commands: {
    'mail-commands': async () => (await import('./mail-commands.ts')).mailCommands,
  },
} satisfies RoomManifest<IdentityConfig & DiscoverySettings>
