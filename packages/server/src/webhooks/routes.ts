import { utc } from '@gatehouse/contract/events'
import { maxWebhooks } from '@gatehouse/contract/webhooks/webhooks'
import type { Api } from '../platform/http/api.ts'
import type { Principal } from '../platform/http/callers/principal.ts'
import { ForbiddenAddress } from '../platform/http/callers/public-address.ts'
import { Forbidden, message } from '../platform/http/errors.ts'
import type { Checked } from '../platform/http/validation.ts'
import { requireOwn } from '../users/access.ts'
import { ownedUser } from '../users/account-view/account-view.ts'
import type { AccountViews } from '../users/account-view/account-views.ts'
import { actorOf } from '../users/actor.ts'
import { readDeliveries } from './delivery/delivery-store.ts'
import { checkReceiver, type MessageSender } from './delivery/send-message.ts'
import { canManageWebhooks } from './policy.ts'
import { presentDelivery, presentWebhook } from './present.ts'
import { requireWebhook, sendTest } from './test-webhook.ts'
import type { WebhookSettings } from './webhook-settings.ts'
import { readWebhooks } from './webhook-store.ts'
import {
  createWebhook,
  deleteWebhook,
  pauseWebhook,
  replayWebhook,
  resumeWebhook,
  rotateWebhook,
  updateWebhook,
  type WebhookAccount,
  type WebhookParts,
} from './webhooks.ts'

export interface ServeWebhookParts extends WebhookParts {
  readonly views: AccountViews
  readonly config: WebhookSettings
  readonly sender: MessageSender
}

const pageSize = 20

/** Routes for the webhooks of the caller's account. */
export function serveAccountWebhooks(api: Api, parts: ServeWebhookParts): void {
  const { db, clock, views, config } = parts

  api.serve('GET /api/v4/webhooks', async ({ principal }) => {
    const { walletId } = await accountOf(views, principal)
    const list = (await readWebhooks(db, walletId)).map((row) => presentWebhook(row, clock.now()))
    return { list, count: list.length, limit: maxWebhooks, deliveryDays: config.WEBHOOK_DELIVERY_DAYS }
  })

  api.serveLate('POST /api/v4/webhooks', async ({ principal, read, t, ip }) => {
    const account = await accountOf(views, principal)
    const { body } = await read(({ url }) => checkUrl(url, config))
    const made = await createWebhook(parts, account, body, actorOf(principal, { ip }))
    return { status: 'success', message: t('webhooks.created'), ...made }
  })

  api.serveLate('PUT /api/v4/webhooks/{id}', async ({ principal, params, read, t, ip }) => {
    const account = await accountOf(views, principal)
    const { id } = await requireWebhook(parts, account, params.id)
    const { body } = await read(({ url }) => checkUrl(url, config))
    const change = {
      id,
      ...(body.name !== undefined && { name: body.name }),
      ...(body.url !== undefined && { url: body.url }),
      ...(body.types !== undefined && { types: [...body.types] }),
    }
    await updateWebhook(parts, account, change, actorOf(principal, { ip }))
    return { status: 'success', message: t('webhooks.updated') }
  })

  api.serve('DELETE /api/v4/webhooks/{id}', async ({ principal, params, t, ip }) => {
    const account = await accountOf(views, principal)
    await deleteWebhook(parts, account, params.id, actorOf(principal, { ip }))
    return { status: 'success', message: t('webhooks.deleted') }
  })

  api.serveLate('POST /api/v4/webhooks/{id}/rotate', async ({ principal, params, read, t, ip }) => {
    const account = await accountOf(views, principal)
    const { id } = await requireWebhook(parts, account, params.id)
    const { overlapHours } = read()
    const made = await rotateWebhook(parts, account, { id, overlapHours }, actorOf(principal, { ip }))
    return { status: 'success', message: t('webhooks.rotated'), ...made }
  })

  serveActs(api, parts)
}

/** Routes for the delivery of events to a webhook. */
function serveActs(api: Api, parts: ServeWebhookParts): void {
  const { db, views } = parts

  api.serve('POST /api/v4/webhooks/{id}/pause', async ({ principal, params, t, ip }) => {
    const account = await accountOf(views, principal)
    await pauseWebhook(parts, account, params.id, 'owner', { actor: actorOf(principal, { ip }) })
    return { status: 'success', message: t('webhooks.paused') }
  })

  api.serve('POST /api/v4/webhooks/{id}/resume', async ({ principal, params, t, ip }) => {
    const account = await accountOf(views, principal)
    await resumeWebhook(parts, account, params.id, { actor: actorOf(principal, { ip }) })
    return { status: 'success', message: t('webhooks.resumed') }
  })

  api.serveLate('POST /api/v4/webhooks/{id}/replay', async ({ principal, params, read, t, ip }) => {
    const account = await accountOf(views, principal)
    const { id } = await requireWebhook(parts, account, params.id)
    const from = new Date(utc(read().from))
    await replayWebhook(parts, account, { id, from }, { actor: actorOf(principal, { ip }) })
    return { status: 'success', message: t('webhooks.replayed') }
  })

  api.serve('POST /api/v4/webhooks/{id}/test', async ({ principal, params, t }) => {
    const account = await accountOf(views, principal)
    const delivery = presentDelivery(await sendTest(parts, account, params.id))
    return { status: 'success', message: t('webhooks.tested'), delivery }
  })

  api.serve('GET /api/v4/webhooks/{id}/deliveries', async ({ principal, params, query }) => {
    const account = await accountOf(views, principal)
    const { id } = await requireWebhook(parts, account, params.id)
    const { page, size: wanted, state } = query
    const size = wanted ?? pageSize
    const part = { limit: size + 1, offset: ((page ?? 1) - 1) * size }
    const rows = await readDeliveries(db, id, state ?? undefined, part)
    const list = rows.slice(0, size).map(presentDelivery)
    return { list, count: list.length, hasMore: rows.length > size }
  })
}

/** Returns the caller's account. Throws Forbidden if the caller may not manage its webhooks. */
async function accountOf(views: AccountViews, principal: Principal): Promise<WebhookAccount> {
  const view = await requireOwn(views, principal)
  const account = ownedUser(view)
  if (account.ownerId === null || !canManageWebhooks(principal, account)) throw new Forbidden()
  return { walletId: view.wallet.id, ownerId: account.ownerId }
}

function checkUrl(url: string | undefined, config: WebhookSettings): Checked<undefined> {
  try {
    if (url !== undefined) checkReceiver(url, config.WEBHOOK_TO_PRIVATE)
    return { value: undefined }
  } catch (error) {
    if (!(error instanceof ForbiddenAddress)) throw error
    return { errors: { url: message('webhooks.bad-url') } }
  }
}
