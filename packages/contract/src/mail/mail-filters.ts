import { z } from 'zod'
import { objectIdParams } from '../directory/users.ts'
import { successEnvelope, wireDate } from '../envelope.ts'
import { defineRoutes } from '../route.ts'
import { filterLimits, replyAudiences, textTests } from './filter-terms.ts'

/**
 * Rules that the mail server applies to a user's incoming mail, and the automatic reply. They are stored by the portal
 * and uploaded to the mail server as one Sieve script.
 */

export const addressFields = ['from', 'to', 'subject', 'list'] as const

export const sizeTests = ['over', 'under'] as const

const line = (max: number) =>
  z
    .string()
    .trim()
    .min(1)
    .max(max)
    // control characters end a line of a message, and the database can't store unpaired surrogates
    .regex(/^[^\p{Cc}\p{Cs}\u2028\u2029]*$/u)

/** Several lines. The database can't store unpaired surrogates. */
const text = z
  .string()
  .trim()
  .min(1)
  .max(filterLimits.text)
  .regex(/^\P{Cs}*$/u)

const value = line(filterLimits.value)

/** `to` includes Cc; `list` is the identifier of a mailing list (List-Id). */
const fieldCondition = z.object({ field: z.enum(addressFields), test: z.enum(textTests), value })

const headerCondition = z.object({
  field: z.literal('header'),
  /** Name of a header field (RFC 5322 §2.2). */
  header: z.string().regex(/^[!-9;-~]{1,76}$/),
  test: z.enum(textTests),
  value,
})

const sizeCondition = z.object({
  field: z.literal('size'),
  test: z.enum(sizeTests),
  /** Kibibytes. */
  size: z.number().int().min(1).max(1_048_576),
})

export const filterCondition = z.discriminatedUnion('field', [fieldCondition, headerCondition, sizeCondition])

export type FilterCondition = z.output<typeof filterCondition>

export const filterAction = z.discriminatedUnion('kind', [
  /** Folders are separated by `/`. A missing folder is created. */
  z.object({ kind: z.literal('file'), folder: line(filterLimits.value) }),
  z.object({ kind: z.literal('forward'), address: line(320), keepCopy: z.boolean() }),
  z.object({ kind: z.literal('mark-read') }),
  z.object({ kind: z.literal('flag') }),
  z.object({ kind: z.literal('discard') }),
  z.object({ kind: z.literal('reject'), text }),
])

export type FilterAction = z.output<typeof filterAction>

export type FilterActionKind = FilterAction['kind']

export const filterRule = z.object({
  name: line(100),
  isEnabled: z.boolean(),
  /** How the conditions are combined. Without conditions, the rule applies to all mail. */
  match: z.enum(['all', 'any']),
  conditions: z.array(filterCondition).max(filterLimits.conditions),
  actions: z.array(filterAction).min(1).max(filterLimits.actions),
  /** Whether later rules are skipped for mail to which this one applies. */
  isLast: z.boolean(),
})

export type FilterRule = z.output<typeof filterRule>

const dayText = z.iso.date()

export const outOfOffice = z.object({
  isEnabled: z.boolean(),
  /** First day with replies; null: from now on. */
  from: dayText.nullable(),
  /** Last day with replies; null: until it is turned off. */
  until: dayText.nullable(),
  /** IANA name of the time zone of the days. */
  timeZone: z.string().max(64),
  /** Null: the mail server's default, which names the original subject. */
  subject: line(filterLimits.value).nullable(),
  /** Required for replies. */
  text: text.nullable(),
  /** Days until the same sender gets another reply. */
  days: z.number().int().min(1).max(30),
  audience: z.enum(replyAudiences),
  /** Other addresses at which the user gets mail, in addition to those of the portal. */
  addresses: z.array(line(320)).max(filterLimits.addresses),
})

export type OutOfOffice = z.output<typeof outOfOffice>

/** Whether the mail server uses the filters. */
export const filterStates = ['not-connected', 'pending', 'active', 'inactive', 'failed'] as const

export type FilterState = (typeof filterStates)[number]

const filters = { rules: z.array(filterRule).max(filterLimits.rules), outOfOffice }

export const mailFilters = z.object({
  ...filters,
  /** Changes with the content. */
  revision: z.string(),
  /**
   * `inactive`: the user made another script active with a mail program, and it is left alone. `failed`: the mail server
   * refused the filters; see `problem`. `pending`: they are being uploaded.
   */
  state: z.enum(filterStates),
  /** Name of the active script that isn't the portal's; null if there is none. */
  otherScript: z.string().nullable(),
  /** What the mail server said; null unless `failed`. */
  problem: z.string().nullable(),
  /** When the mail server got the current filters; null if it hasn't. */
  uploaded_at: wireDate.nullable(),
})

export type MailFilters = z.output<typeof mailFilters>

export const mailFilterRoutes = defineRoutes({
  'GET /api/v4/users/{id}/mail-filters': {
    summary: "Get the rules for a user's incoming mail and the automatic reply",
    tag: 'Mail',
    auth: 'token',
    openTo: ['impersonated'],
    hosts: ['user'],
    params: objectIdParams,
    ok: mailFilters,
    errors: [401, 403, 404],
  },
  'PUT /api/v4/users/{id}/mail-filters': {
    summary: "Replace the rules for a user's incoming mail and the automatic reply",
    tag: 'Mail',
    auth: 'token',
    openTo: ['impersonated'],
    hosts: ['user'],
    params: objectIdParams,
    body: z.object({
      ...filters,
      /** The revision that the change is based on; absent: replace any. */
      revision: z.string().max(64).nullish(),
      /** Make these filters active instead of the script that the user made active with a mail program. */
      replacesOther: z.boolean().nullish(),
    }),
    ok: successEnvelope.extend({ revision: z.string() }),
    errors: [401, 403, 404, 409, 422],
  },
})
