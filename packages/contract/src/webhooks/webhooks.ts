import { z } from 'zod'
import { successEnvelope, wireDate } from '../envelope.ts'
import { moment } from '../events.ts'
import { pagedList, pageQuery } from '../list.ts'
import { defineRoutes } from '../route.ts'
import { eventTypes } from './event-types.ts'

/** Most webhooks of an account. */
export const maxWebhooks = 20

/** Longest time in hours for which messages are also signed with the previous secret. */
export const maxWebhookOverlapHours = 168

/** Type of the message that a test sends. */
export const testEventType = 'webhook.test'

/** Who or what paused a webhook: `failing`: no delivery succeeded for days. `gone`: it answered with 410. */
export const pauseReasons = ['owner', 'failing', 'gone', 'operator'] as const

export type PauseReason = (typeof pauseReasons)[number]

/** Why a receiver gave no answer. */
export const deliveryErrors = ['timeout', 'connection', 'dns', 'tls', 'private-address'] as const

export type DeliveryError = (typeof deliveryErrors)[number]

export const deliveryStates = ['pending', 'delivered', 'failed'] as const

export const webhook = z.object({
  id: z.uuid(),
  name: z.string(),
  url: z.string(),
  /** Empty: all events. */
  types: z.array(z.string()),
  created_at: wireDate,
  /** Null if it is active. */
  paused: z.object({ at: wireDate, reason: z.enum(pauseReasons) }).nullable(),
  /** The first failure since the last success; null if the last delivery succeeded. */
  failingSince: wireDate.nullable(),
  /** Until when messages are also signed with the previous secret; null if there is none. */
  previousUntil: wireDate.nullable(),
})

export type Webhook = z.infer<typeof webhook>

/** An event and the outcome of its last attempt. */
export const webhookDelivery = z.object({
  id: z.uuid(),
  /** The header `webhook-id` of the message. */
  event: z.uuid(),
  type: z.string(),
  /** `failed`: there are no more attempts. */
  state: z.enum(deliveryStates),
  attempts: z.number().int(),
  created_at: wireDate,
  attemptedAt: wireDate.nullable(),
  /** Null unless it is pending. */
  nextAt: wireDate.nullable(),
  /** HTTP status of the answer. */
  status: z.number().int().nullable(),
  error: z.enum(deliveryErrors).nullable(),
  durationMs: z.number().int().nullable(),
  /** The first 4 KiB of the answer. */
  answer: z.string().nullable(),
})

export type WebhookDelivery = z.infer<typeof webhookDelivery>

const fields = {
  name: z.string().trim().min(1).max(100),
  url: z.url().max(2000),
  /** Empty: all events. */
  types: z.array(z.enum(eventTypes)).max(eventTypes.length),
}

const own = { tag: 'Webhooks', auth: 'token', hosts: ['user'] } as const
const params = z.object({ id: z.string().max(64) })
const withSecret = successEnvelope.extend({
  id: z.uuid(),
  /** Verifies signatures; can't be shown again. */
  secret: z.string(),
})

export const webhookRoutes = defineRoutes({
  'GET /api/v4/webhooks': {
    ...own,
    openTo: ['impersonated', 'apiKey'],
    summary: "List the webhooks of the caller's account, newest first",
    ok: z.object({
      list: z.array(webhook),
      count: z.number().int(),
      limit: z.number().int(),
      /** Days for which deliveries are kept. */
      deliveryDays: z.number().int(),
    }),
    errors: [401, 403, 404],
  },
  'POST /api/v4/webhooks': {
    ...own,
    openTo: [],
    stepUp: true,
    summary: 'Create a webhook; its secret is returned only here',
    body: z.object(fields),
    ok: withSecret,
    errors: [401, 403, 404, 422],
  },
  'PUT /api/v4/webhooks/{id}': {
    ...own,
    openTo: [],
    stepUp: true,
    summary: "Change a webhook's name, URL or types",
    params,
    body: z.object(fields).partial(),
    ok: successEnvelope,
    errors: [401, 403, 404, 422],
  },
  'DELETE /api/v4/webhooks/{id}': {
    ...own,
    openTo: [],
    summary: 'Delete a webhook and its deliveries',
    params,
    ok: successEnvelope,
    errors: [401, 403, 404],
  },
  'POST /api/v4/webhooks/{id}/rotate': {
    ...own,
    openTo: [],
    stepUp: true,
    summary: "Replace a webhook's secret; messages are signed with both for the given hours",
    params,
    body: z.object({ overlapHours: z.number().int().min(0).max(maxWebhookOverlapHours) }),
    ok: withSecret,
    errors: [401, 403, 404, 422],
  },
  'POST /api/v4/webhooks/{id}/pause': {
    ...own,
    openTo: ['apiKey'],
    summary: 'Pause a webhook; events are delivered when it is resumed',
    params,
    ok: successEnvelope,
    errors: [401, 403, 404],
  },
  'POST /api/v4/webhooks/{id}/resume': {
    ...own,
    openTo: ['apiKey'],
    summary: 'Resume a webhook where it stopped',
    params,
    ok: successEnvelope,
    errors: [401, 403, 404],
  },
  'POST /api/v4/webhooks/{id}/replay': {
    ...own,
    openTo: ['apiKey'],
    summary: 'Deliver all events since a date again',
    params,
    body: z.object({ from: moment.unwrap().unwrap() }),
    ok: successEnvelope,
    errors: [401, 403, 404, 422],
  },
  'POST /api/v4/webhooks/{id}/test': {
    ...own,
    openTo: ['apiKey'],
    summary: 'Send a test message once and return the outcome',
    params,
    ok: successEnvelope.extend({ delivery: webhookDelivery }),
    errors: [401, 403, 404],
  },
  'GET /api/v4/webhooks/{id}/deliveries': {
    ...own,
    openTo: ['impersonated', 'apiKey'],
    summary: 'List deliveries of a webhook, newest first',
    params,
    query: pageQuery.extend({ state: z.enum(deliveryStates).nullish() }),
    ok: pagedList(webhookDelivery),
    errors: [401, 403, 404, 422],
  },
})
