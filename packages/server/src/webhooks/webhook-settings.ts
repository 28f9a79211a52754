import { z } from 'zod'
import { count, flag } from '../platform/settings/setting-kinds.ts'

/** Settings of webhooks. */
export const webhookSettings = {
  WEBHOOK_TO_PRIVATE: flag(false).describe(
    'Allow webhooks to this machine and private networks, also without encryption. Customers can then reach those servers',
  ),
  WEBHOOK_DELIVERY_DAYS: count(30, 1, 365).describe('Days for which deliveries of webhooks are kept'),
}

const parsedSettings = z.object(webhookSettings)

export type WebhookSettings = z.infer<typeof parsedSettings>
