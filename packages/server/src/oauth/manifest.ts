import type { RoomManifest } from '../platform/room-manifest.ts'
import { type OAuthSettings, oauthSettings, oauthSettingsProblem } from './oauth-settings.ts'

export const oauth = {
  settings: { 'OAuth and OpenID Connect': oauthSettings },
  contradictions: [oauthSettingsProblem],
  commands: {
    'oauth-commands': async () => (await import('./oauth-commands.ts')).oauthCommands,
  },
} satisfies RoomManifest<OAuthSettings>
