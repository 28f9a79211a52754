import { z } from 'zod'
import { objectIdParams } from './directory/users.ts'
import { wireDate } from './envelope.ts'
import { pagedList, pageQuery } from './list.ts'
import { borrowedCallers, defineRoutes } from './route.ts'

/** Why a sign-in was refused; `data.reason` of `sign-in.failed` and `sign-in.proof-failed`. */
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

/** One entry aggregates identical events within a period. */
export const occurrences = {
  /** Number of occurrences; absent for one. */
  times: z.number().int().optional(),
  /** Time of the last occurrence, `createdAt` being the first; absent for one. */
  lastAt: wireDate.optional(),
}

/** One entry of the audit log. */
export const auditEvent = z.object({
  id: z.uuid(),
  createdAt: wireDate,
  ...occurrences,
  /** Event name as `object.verb`, e.g. `user.created`. */
  event: z.string(),
  /** Localised title. */
  title: z.string(),
  objectType: z.string(),
  objectId: z.number().int(),
  /** Address or name of the object, if it still exists. */
  object: z.string().nullable(),
  /** The object is deleted and its page no longer exists. */
  objectDeleted: z.boolean(),
  /** Null for the system itself, or an unauthenticated actor, as with a failed sign-in. */
  actorId: z.number().int().nullable(),
  actor: z.string().nullable(),
  /** First and last name of `actor`; absent if unknown, or for staff. */
  actorName: z.string().optional(),
  /** `actor` is a staff member. */
  byStaff: z.literal(true).optional(),
  /** Staff who impersonated `actor`. */
  onBehalf: z.string().optional(),
  /** Name of the API key that was used; `actor` is null for a key of the account. */
  apiKey: z.string().optional(),
  /** An address, or a network if the entry covers several addresses; null if unknown, or for many networks. */
  ip: z.string().nullable(),
  comment: z.string().nullable(),
  /** Details; a change has `before` and `after` with the changed fields. Never contains secrets. */
  data: z.record(z.string(), z.unknown()).nullable(),
  /**
   * Type of the file in `data.file`; absent if it is in the trash or purged, or the entry isn't about a file.
   */
  file: z.enum(['file', 'collection']).optional(),
})

export type AuditEvent = z.infer<typeof auditEvent>

/** A date or time in UTC: `2026-03-10`, `2026-03-10 12:00:00`, `2026-03-10T12:00:00Z`. */
export const moment = z
  .string()
  .max(20)
  .regex(/^\d{4}-\d\d-\d\d([T ]\d\d:\d\d(:\d\d)?Z?)?$/)
  .refine(isThere)
  .nullish()

/** Rejects dates such as 31 February, which JavaScript parses as a day in March. */
function isThere(text: string): boolean {
  const time = Date.parse(utc(text))
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text.slice(0, 10))
}

/** Converts a time in a query to ISO 8601 with its zone. */
export function utc(text: string): string {
  if (text.length === 10) return `${text}T00:00:00Z`
  return `${text.replace(' ', 'T').replace('Z', '')}Z`
}

/** An event as delivered to programs, by `GET /api/v4/events/feed` and webhooks. */
export const eventMessage = z.object({
  /** Stays the same when the event is delivered again. */
  id: z.uuid(),
  /** Such as `user.created`; see `eventTypes`. Programs must ignore types that they don't know. */
  type: z.string(),
  /** ISO 8601, UTC. */
  time: z.iso.datetime(),
  object: z.object({
    type: z.string(),
    id: z.number().int(),
    /** Its current address or name; null if it no longer exists. */
    name: z.string().nullable(),
  }),
  actor: z.object({
    /** `staff`: support staff, also when acting as a user. `system`: nobody, or somebody who isn't signed in. */
    kind: z.enum(['user', 'staff', 'api-key', 'system']),
    /** The user who acted; null for others. */
    id: z.number().int().nullable(),
    /** Name of the API key that was used. */
    apiKey: z.string().nullable(),
  }),
  /** Details as in the activity; a change has `before` and `after`. Never contains secrets. */
  data: z.record(z.string(), z.unknown()).nullable(),
})

export type EventMessage = z.infer<typeof eventMessage>

/** Most events in an answer of the feed. */
export const mostFeedEvents = 500

const eventFilters = {
  /** ID or address of the actor. */
  actor: z.string().max(191).nullish(),
  /** `user.created`, or all events of a kind: `user.`. */
  event: z.string().max(64).nullish(),
  from: moment,
  /** A date includes the whole day. */
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
  'GET /api/v4/events/feed': {
    summary: 'Read events of the accounts that the caller owns or controls, in a stable order after a cursor',
    tag: 'Events',
    auth: 'token',
    openTo: borrowedCallers,
    hosts: ['user'],
    query: z.object({
      /** `cursor` of the previous answer; absent: from the oldest event. */
      cursor: z
        .string()
        .regex(/^\d{1,18}$/)
        .nullish(),
      /** Defaults to 100. */
      limit: z.coerce.number<string | number>().int().min(1).max(mostFeedEvents).nullish(),
      /** `user.created`, or all events of a kind: `user.`. */
      type: z.string().max(64).nullish(),
    }),
    ok: z.object({
      list: z.array(eventMessage),
      count: z.number().int(),
      /** For the next request, also if the list is empty. */
      cursor: z.string(),
      /** Whether there are more events now. */
      hasMore: z.boolean(),
    }),
    errors: [401, 403, 404, 422],
  },
  'GET /api/v4/sign-ins': {
    summary: "List the caller's sign-ins, failed attempts and session changes, newest first",
    tag: 'Events',
    auth: 'token',
    whenSuspended: 'allowed',
    openTo: ['impersonated'],
    query: pageQuery.extend({
      /** `failed` returns refused attempts only; absent returns everything. */
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
