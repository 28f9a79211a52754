import { z } from 'zod'
import { ApiRefusal } from './payment-server.ts'

/** A JSON value in Stripe's responses. */
export type Json = string | number | boolean | null | undefined | Json[] | { readonly [key: string]: Json }

/** Returns a string or number as text; empty for anything else. */
export function text(value: Json): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}

type Tree = { [key: string]: Tree | string }

/** Parses `a[b][0]=c` like Stripe. */
export function readForm(form: string): unknown {
  const root: Tree = {}
  for (const [name, value] of new URLSearchParams(form)) {
    const path = [...name.matchAll(/[^[\]]+/g)].map(([part]) => part)
    let node = root
    for (const part of path.slice(0, -1)) {
      const next = node[part]
      const below: Tree = typeof next === 'object' ? next : {}
      node[part] = below
      node = below
    }
    node[path.at(-1) ?? ''] = value
  }
  return withLists(root)
}

function withLists(node: Tree | string): unknown {
  if (typeof node === 'string') return node
  const entries = Object.entries(node)
  if (entries.length > 0 && entries.every(([key]) => /^\d+$/.test(key))) {
    return entries.map(([, below]) => withLists(below))
  }
  return Object.fromEntries(entries.map(([key, below]) => [key, withLists(below)]))
}

/** Parses a request's parameters, or rejects them with Stripe's messages. */
export function parameters<T>(schema: z.ZodType<T>, given: unknown): T {
  const parsed = schema.safeParse(given)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  const unknown = issue?.code === 'unrecognized_keys' ? issue.keys[0] : undefined
  const path = [...(issue?.path ?? []), ...(unknown === undefined ? [] : [unknown])].map(String)
  const param = path.map((part, depth) => (depth === 0 ? part : `[${part}]`)).join('')
  if (unknown === 'payment_method_types') {
    throw invalid('payment_method_types is no longer supported', {
      code: 'payment_method_types_no_longer_supported',
      param,
    })
  }
  if (unknown !== undefined) {
    throw invalid(`Received unknown parameter: ${param}`, { code: 'parameter_unknown', param })
  }
  const isMissing = issue?.code === 'invalid_type' && valueAt(given, issue.path) === undefined
  if (isMissing) throw invalid(`Missing required param: ${param}.`, { code: 'parameter_missing', param })
  throw invalid(`Invalid ${param}: ${issue?.message ?? ''}`, { code: 'parameter_invalid', param })
}

function valueAt(tree: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (node, part) => (typeof node === 'object' && node !== null ? Reflect.get(node, part) : undefined),
    tree,
  )
}

interface Facts {
  readonly code?: string
  readonly param?: string
  readonly status?: number
}

/**
 * An invalid request (docs.stripe.com/api/errors). Parameter errors are not stored under an idempotency key.
 */
export function invalid(words: string, { status = 400, ...facts }: Facts = {}): ApiRefusal {
  const error = { type: 'invalid_request_error', message: words, ...facts }
  return new ApiRefusal({ status, body: { error }, isKept: false })
}

export function missing(kind: string, id: string, param = 'id'): ApiRefusal {
  return invalid(`No such ${kind}: '${id}'`, {
    code: 'resource_missing',
    param,
    status: param === 'id' ? 404 : 400,
  })
}

const count = z
  .string()
  .regex(/^\d{1,8}$/)
  .transform(Number)
const flag = z.enum(['true', 'false']).transform((text) => text === 'true')
const metadata = z.record(z.string().max(40), z.string().max(500)).optional()
const currency = z.string().regex(/^[a-z]{3}$/)
const address = z.url({ protocol: /^https?$/ }).max(5000)
const types = z.array(z.enum(['card', 'paypal', 'customer_balance', 'sepa_debit', 'link'])).optional()
const expand = z.array(z.string()).optional()

/** Parameters of the supported calls; anything else is unknown, as at Stripe. */
export const forms = {
  customer: z.strictObject({
    name: z.string().max(256).optional(),
    email: z.email().max(512).optional(),
    metadata,
    expand,
  }),
  session: z.strictObject({
    mode: z.enum(['payment', 'setup']),
    customer: z.string().optional(),
    client_reference_id: z.string().max(200).optional(),
    metadata,
    allowed_payment_method_types: types,
    locale: z.enum(['auto', 'de', 'en', 'fr', 'it']).optional(),
    success_url: address,
    cancel_url: address.optional(),
    currency: currency.optional(),
    line_items: z
      .array(
        z.strictObject({
          quantity: count,
          price_data: z.strictObject({
            currency,
            unit_amount: count,
            product_data: z.strictObject({ name: z.string().min(1) }),
          }),
        }),
      )
      .optional(),
    payment_intent_data: z
      .strictObject({
        description: z.string().max(1000).optional(),
        metadata,
        setup_future_usage: z.enum(['off_session', 'on_session']).optional(),
      })
      .optional(),
    setup_intent_data: z.strictObject({ description: z.string().max(1000).optional(), metadata }).optional(),
    adaptive_pricing: z.strictObject({ enabled: flag }).optional(),
    payment_method_options: z
      .strictObject({
        customer_balance: z.strictObject({
          funding_type: z.literal('bank_transfer'),
          bank_transfer: z.strictObject({
            type: z.literal('eu_bank_transfer'),
            eu_bank_transfer: z.strictObject({ country: z.enum(['DE', 'FR', 'IE', 'NL']) }),
          }),
        }),
      })
      .optional(),
    expand,
  }),
  sessionUpdate: z.strictObject({ metadata, expand }),
  intent: z.strictObject({
    amount: count,
    currency,
    customer: z.string(),
    payment_method: z.string(),
    allowed_payment_method_types: types,
    off_session: flag,
    confirm: flag,
    description: z.string().max(1000).optional(),
    metadata,
    expand,
  }),
  refund: z.strictObject({ payment_intent: z.string(), amount: count, expand }),
  nothing: z.strictObject({ expand }),
}
