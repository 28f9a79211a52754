import { after, day } from '../platform/clock.ts'
import type { Ground } from '../platform/ground.ts'
import type { Identity } from '../sessions/plugin.ts'
import { purgeDeliveries } from './delivery/delivery-store.ts'
import { DeliveryWorker } from './delivery/delivery-worker.ts'
import { MessageSender } from './delivery/send-message.ts'
import { handlePausedMails } from './pause-failing.ts'
import { serveAccountWebhooks } from './routes.ts'
import type { WebhookSettings } from './webhook-settings.ts'

/** Adds webhooks, which deliver the events of an account. Returns the worker that delivers them. */
export function addWebhooks(ground: Ground<WebhookSettings>, identity: Identity): DeliveryWorker {
  const { api, clock, config, db, jobs, purge } = ground
  const sender = new MessageSender(config.WEBHOOK_TO_PRIVATE)
  serveAccountWebhooks(api, { ...ground, ...identity, sender })
  handlePausedMails(jobs, ground)
  purge.add({
    async purge() {
      const before = after(clock.now(), -config.WEBHOOK_DELIVERY_DAYS * day)
      while (await purgeDeliveries(db, before)) {
        // one batch after another
      }
    },
  })
  return new DeliveryWorker({ ...ground, sender })
}
