import type { WithHasher } from '../passwords/hasher.ts'
import type { RoomManifest } from '../platform/room-manifest.ts'
import { apiKeySettings } from './api-keys/api-key-settings.ts'
import { companionSettings } from './companions/companion-settings.ts'
import { identitySettings } from './identity-settings.ts'
import type { IdentityConfig } from './plugin.ts'

export const sessions = {
  settings: {
    'Sessions and second factors': { ...identitySettings, ...companionSettings },
    'API keys': apiKeySettings,
  },
  commands: {
    'api-key-commands': async () => (await import('./api-keys/api-key-commands.ts')).apiKeyCommands,
    'password-command': async () => [(await import('./password-command.ts')).passwordCommand],
  },
} satisfies RoomManifest<IdentityConfig, WithHasher>
