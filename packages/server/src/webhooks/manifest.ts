import type { RoomManifest } from '../platform/room-manifest.ts'
import { type WebhookSettings, webhookSettings } from './webhook-settings.ts'

export const webhooks = {
  settings: { Webhooks: webhookSettings },
  commands: {
    'webhook-commands': async () => (await import('./webhook-commands.ts')).webhookCommands,
  },
} satisfies RoomManifest<WebhookSettings>
