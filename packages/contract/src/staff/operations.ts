import { z } from 'zod'
import { successEnvelope, successStatus, wireDate } from '../envelope.ts'
import { pagedList, pageQuery } from '../list.ts'
import { defineRoutes } from '../route.ts'

/** Jobs, mail and health of the installation for its operators, on the admin cockpit's host only. */

/**
 * `waiting`: not due yet, or no worker is free; `running`; `retrying`: failed and will be retried; `dead`:
 * failed for the last time.
 */
export const jobStates = ['waiting', 'running', 'retrying', 'dead'] as const

export type JobState = (typeof jobStates)[number]

export const jobItem = z.object({
  id: z.string(),
  /** Kind of job, e.g. `mail:signup`. */
  name: z.string(),
  state: z.enum(jobStates),
  attempts: z.number().int(),
  maxAttempts: z.number().int(),
  /** Error of the last attempt; null if none failed. */
  error: z.string().nullable(),
  createdAt: wireDate,
  /** When it is due. */
  runAt: wireDate,
  updatedAt: wireDate,
  /** Job data as IDs and names; never contains secrets. */
  payload: z.record(z.string(), z.unknown()).nullable(),
})

export type JobItem = z.infer<typeof jobItem>

export const mailOutcomes = ['sent', 'failed'] as const

/** One attempt to deliver a mail to the mail server. Bodies aren't stored. */
export const mailItem = z.object({
  id: z.uuid(),
  createdAt: wireDate,
  /** Kind of mail, e.g. `signup-verification`. */
  name: z.string(),
  subject: z.string(),
  recipients: z.array(z.string()),
  outcome: z.enum(mailOutcomes),
  error: z.string().nullable(),
  /** The user whom it is about, if any. */
  userId: z.number().int().nullable(),
})

export type MailItem = z.infer<typeof mailItem>

/** `ok`; `degraded`: works, but needs attention; `down`; `unused`: not configured. */
export const healthStates = ['ok', 'degraded', 'down', 'unused'] as const

export const healthParts = [
  'database',
  'queue',
  'mail',
  'provisioning',
  'payments',
  'exchange',
  'countries',
] as const

export const healthPart = z.object({
  name: z.enum(healthParts),
  state: z.enum(healthStates),
  /** One sentence in the reader's language. */
  message: z.string(),
  /** Underlying numbers, e.g. `waiting`, `dead`, `milliseconds`. */
  facts: z.record(z.string(), z.union([z.number(), z.string(), z.null()])),
})

export type HealthPart = z.infer<typeof healthPart>

const admin = { auth: 'token', hosts: ['admin'], tag: 'Operations' } as const
const errors = [401, 403, 404, 422] as const

/** Sums of a period's receipts for one country and rate. Amounts are in cents. */
export const vatLine = z.object({
  /** ISO 3166-1; null if unknown. */
  country: z.string().nullable(),
  currency: z.string(),
  /** Basis points; null without VAT. */
  rate: z.number().int().nullable(),
  payments: z.number().int(),
  net: z.number().int(),
  vat: z.number().int(),
  gross: z.number().int(),
})

/** A year, quarter or month: `2026`, `2026-Q1`, `2026-03`. */
const reportParams = z.object({ period: z.string().max(16) })

export const operationRoutes = defineRoutes({
  'GET /api/v4/vat-reports/{period}': {
    ...admin,
    openTo: [],
    summary:
      'Get net, VAT and gross of the receipts of a year, quarter or month by country, rate and currency',
    params: reportParams,
    ok: successStatus.extend({
      period: z.string(),
      lines: z.array(vatLine),
      /** Paid payments of the period that have no receipt yet and aren't included in the sums. */
      unreceipted: z.number().int(),
    }),
    errors: [401, 403, 404],
  },
  'GET /api/v4/vat-reports/{period}/csv': {
    ...admin,
    openTo: [],
    summary: 'Export the VAT report of a year, quarter or month as CSV',
    params: reportParams,
    download: 'text/csv',
    ok: z.string(),
    errors: [401, 403, 404],
  },
  'GET /api/v4/jobs': {
    ...admin,
    openTo: [],
    summary: 'List queued jobs: failed ones first, then by due time',
    query: pageQuery.extend({
      state: z.enum(jobStates).nullish(),
      /** Part of the job's kind. */
      search: z.string().max(64).nullish(),
    }),
    ok: pagedList(jobItem).extend({
      page: z.number().int(),
      counts: z.object({
        waiting: z.number().int(),
        running: z.number().int(),
        retrying: z.number().int(),
        dead: z.number().int(),
      }),
    }),
    errors,
  },
  'POST /api/v4/jobs/{id}/retry': {
    ...admin,
    openTo: [],
    summary: 'Retry a job now; resets the attempts of a dead job',
    params: z.object({ id: z.string() }),
    body: z.object({}),
    ok: successEnvelope,
    errors,
  },
  'DELETE /api/v4/jobs/{id}': {
    ...admin,
    openTo: [],
    summary: "Delete a job that isn't running",
    params: z.object({ id: z.string() }),
    ok: successEnvelope,
    errors: [401, 403, 404],
  },
  'GET /api/v4/mails': {
    ...admin,
    openTo: [],
    summary: 'List e-mails that were delivered to the mail server or failed, newest first',
    query: pageQuery.extend({
      outcome: z.enum(mailOutcomes).nullish(),
      /** Part of an address or subject. */
      search: z.string().max(191).nullish(),
      /** ID of the user whom they are about. */
      user: z.string().max(10).nullish(),
    }),
    ok: pagedList(mailItem).extend({ page: z.number().int() }),
    errors,
  },
  'GET /api/v4/health': {
    ...admin,
    openTo: [],
    summary: "Get the health of the installation's components",
    ok: z.object({
      state: z.enum(['ok', 'degraded', 'down']),
      checkedAt: wireDate,
      version: z.string(),
      parts: z.array(healthPart),
    }),
    errors: [401, 403, 404],
  },
  'GET /api/v4/inspect-request': {
    ...admin,
    openTo: [],
    summary: "Show how the caller's request arrives at the server",
    ok: z.object({
      ip: z.string(),
      clientIps: z.array(z.string()),
      isFromTrustedProxy: z.boolean(),
      /** Excludes headers that contain secrets. */
      headers: z.record(z.string(), z.string()),
    }),
    errors: [401, 403, 404],
  },
})
