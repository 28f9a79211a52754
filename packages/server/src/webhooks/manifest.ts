import type { RoomManifest } from '../platform/room-manifest.ts'
import { webhookCommands } from './webhook-commands.ts'
import { type WebhookSettings, webhookSettings } from './webhook-settings.ts'

export const webhooks = {
  settings: { Webhooks: webhookSettings },
  commands: webhookCommands,
} satisfies RoomManifest<WebhookSettings>
