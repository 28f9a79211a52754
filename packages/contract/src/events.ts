import { z } from 'zod'
import { objectIdParams } from './directory/users.ts'
import { wireDate } from './envelope.ts'
import { pagedList, pageQuery } from './list.ts'
import { borrowedCallers, defineRoutes } from './route.ts'

/** Why a sign-in was refused, as `data.reason` of `sign-in.failed` and `sign-in.proof-failed` says. */
export const refusalReasons = [
  'password',
  'country',
  'factor',
  'passkey',
  'throttled',
  'expired',
  'given-up',
  'denied-recently',
  'no-device',
  'app-password-expired',
  'app-password-scope',
  'app-password-needed',
  'suspended',
  'inactive',
  'degraded',
] as const

export type RefusalReason = (typeof refusalReasons)[number]

/** An entry stands for all events that are alike within a while. */
export const occurrences = {
  /** How often it happened; absent: once. */
  times: z.number().int().optional(),
  /** When it happened last, `createdAt` being the first time; absent: once. */
  lastAt: wireDate.optional(),
}

/** One entry of the record of who did what. */
export const auditEvent = z.object({
  id: z.uuid(),
  createdAt: wireDate,
  ...occurrences,
  /** What happened, as `object.verb`: `user.created`. */
  event: z.string(),
  /** The same in words. */
  title: z.string(),
  objectType: z.string(),
  objectId: z.number().int(),
  /** Address or name of the object, as long as it exists. */
  object: z.string().nullable(),
  /** The object is deleted; its page is there no longer. */
  objectDeleted: z.boolean(),
  /** Null: the system itself, or somebody who did not prove to be anybody, as with a failed sign-in. */
  actorId: z.number().int().nullable(),
  actor: z.string().nullable(),
  /** First and last name of `actor`; absent: none, or a member of staff. */
  actorName: z.string().optional(),
  /** `actor` is a member of staff. */
  byStaff: z.literal(true).optional(),
  /** Staff who acted in the name of `actor`. */
  onBehalf: z.string().optional(),
  /** An address; a network where an entry stands for several addresses; null: not known, or many networks. */
  ip: z.string().nullable(),
  comment: z.string().nullable(),
  /** Facts; a change has `before` and `after` with the fields that differ. Never a secret. */
  data: z.record(z.string(), z.unknown()).nullable(),
  /** What the file of `data.file` is; absent: it is in the trash or gone, or the entry is about none. */
  file: z.enum(['file', 'collection']).optional(),
})

export type AuditEvent = z.infer<typeof auditEvent>

/** A day or a moment, UTC: `2026-03-10`, `2026-03-10 12:00:00`, `2026-03-10T12:00:00Z`. */
export const moment = z
  .string()
  .max(20)
  .regex(/^\d{4}-\d\d-\d\d([T ]\d\d:\d\d(:\d\d)?Z?)?$/)
  .refine(isThere)
  .nullish()

/** There is no 31 February, which the language reads as a day in March. */
function isThere(text: string): boolean {
  const time = Date.parse(utc(text))
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text.slice(0, 10))
}

/** A moment of a query as ISO 8601 with its zone. */
export function utc(text: string): string {
  if (text.length === 10) return `${text}T00:00:00Z`
  return `${text.replace(' ', 'T').replace('Z', '')}Z`
}

const eventFilters = {
  /** Number or address of who did it. */
  actor: z.string().max(191).nullish(),
  /** `user.created`, or a whole kind: `user.`. */
  event: z.string().max(64).nullish(),
  from: moment,
  /** A day counts to its end. */
  to: moment,
}

export const eventRoutes = defineRoutes({
  'GET /api/v4/events': {
    summary: 'List activity in the accounts that the caller owns or controls, newest first',
    tag: 'Events',
    auth: 'token',
    openTo: borrowedCallers,
    hosts: ['user'],
    query: pageQuery.extend({
      objectType: z.string().max(32).nullish(),
      object: z
        .string()
        .max(10)
        .regex(/^[1-9]\d*$/)
        .nullish(),
      ...eventFilters,
    }),
    ok: pagedList(auditEvent),
    errors: [401, 403, 404, 422],
  },
  'GET /api/v4/sign-ins': {
    summary: "List the caller's sign-ins, failed attempts and session changes, newest first",
    tag: 'Events',
    auth: 'token',
    whenSuspended: 'allowed',
    openTo: ['impersonated'],
    query: pageQuery.extend({
      /** `failed`: all that was refused; absent: everything. */
      outcome: z.enum(['succeeded', 'failed']).nullish(),
      from: eventFilters.from,
      to: eventFilters.to,
    }),
    ok: pagedList(auditEvent),
    errors: [401, 403, 422],
  },
  'GET /api/v4/users/{id}/events': {
    summary: 'List activity of a user, newest first',
    tag: 'Events',
    auth: 'token',
    openTo: borrowedCallers,
    hosts: ['user'],
    params: objectIdParams,
    query: pageQuery.extend(eventFilters),
    ok: pagedList(auditEvent),
    errors: [401, 403, 404, 422],
  },
})
