import { z } from 'zod'
import { pricePreview, sku, subscriptions, wantedSkus } from '../billing/subscriptions.ts'
import { type MailKind, mailKinds } from '../directory/kinds.ts'
import { successEnvelope } from '../envelope.ts'
import { defineRoutes } from '../route.ts'
import { staffHosts } from './staff.ts'

/** Subscriptions of a customer's objects, viewed and changed by staff. */

/** Kinds of objects whose subscriptions staff can change. */
export const subscribedTypes = mailKinds

export type SubscribedType = MailKind

export const objectSubscriptions = z.object({
  /** SKUs that the object has or may have. */
  skus: z.array(sku),
  held: subscriptions,
  currency: z.string(),
  /** Percent. */
  discount: z.number().int().nullable(),
  discount_description: z.string().nullable(),
  /** The reader may change them. */
  canChange: z.boolean(),
})

export type ObjectSubscriptions = z.infer<typeof objectSubscriptions>

const ofObject = {
  auth: 'token',
  openTo: [],
  hosts: staffHosts,
  tag: 'Staff',
  params: z.object({ type: z.enum(subscribedTypes), id: z.string() }),
} as const

export const staffSubscriptionRoutes = defineRoutes({
  'GET /api/v4/subscriptions/{type}/{id}': {
    ...ofObject,
    summary: 'List subscriptions of an object, including those that staff can add',
    ok: objectSubscriptions,
    errors: [401, 403, 404, 422],
  },
  'POST /api/v4/subscriptions/{type}/{id}/preview': {
    ...ofObject,
    summary: 'Preview the price of changing the subscriptions of an object',
    body: z.object({ skus: wantedSkus }),
    ok: pricePreview,
    errors: [401, 403, 404, 422],
  },
  'PUT /api/v4/subscriptions/{type}/{id}': {
    ...ofObject,
    stepUp: true,
    summary: 'Replace the subscriptions of an object; SKUs not listed are removed',
    body: z.object({ skus: wantedSkus, reason: z.string().min(3).max(1024) }),
    ok: successEnvelope,
    errors: [401, 403, 404, 422],
  },
})
