import type { RoomManifest } from '../platform/room-manifest.ts'
import { oauthCommands } from './oauth-commands.ts'
import { type OAuthSettings, oauthSettings, oauthSettingsProblem } from './oauth-settings.ts'

export const oauth = {
  settings: { 'OAuth and OpenID Connect': oauthSettings },
  contradictions: [oauthSettingsProblem],
  commands: oauthCommands,
} satisfies RoomManifest<OAuthSettings>
