import { z } from 'zod'
import { successEnvelope } from '../envelope.ts'
import { borrowedCallers, defineRoutes } from '../route.ts'
import { objectIdParams } from './users.ts'

/** Data that a user can share with a delegate. */
export const delegationKinds = ['mail', 'event', 'task', 'contact'] as const

export type DelegationKind = (typeof delegationKinds)[number]

export const delegationAccess = ['read-only', 'read-write'] as const

export type DelegationAccess = (typeof delegationAccess)[number]

const access = z.enum(delegationAccess)

/** Granted rights; omitted kinds aren't granted. */
export const delegationOptions = z.object({
  mail: access.optional(),
  event: access.optional(),
  task: access.optional(),
  contact: access.optional(),
  /** May send mail under the delegator's addresses. */
  send_as: z.boolean(),
})

export type DelegationOptions = z.infer<typeof delegationOptions>

/** A delegate of the user, or a user who delegates to them. */
export const delegation = z.object({
  email: z.string(),
  aliases: z.array(z.string()),
  /** First and last name, or else the address. */
  name: z.string(),
  options: delegationOptions,
  /** It has been synced to the groupware. */
  isReady: z.boolean(),
})

export type Delegation = z.infer<typeof delegation>

const delegationList = z.object({
  list: z.array(delegation),
  count: z.number().int(),
  hasMore: z.literal(false),
})

/** Null and empty mean not granted. At least one kind is required. */
const kindInput = access.nullish()

export const delegationOptionsInput = z.strictObject({
  mail: kindInput,
  event: kindInput,
  task: kindInput,
  contact: kindInput,
  /** If absent, a new delegation grants it together with mail, and a change keeps it. */
  send_as: z.boolean().nullish(),
})

export type DelegationOptionsInput = z.input<typeof delegationOptionsInput>

/** Some clients send an empty object as an empty list. */
const sentOptions = z.union([
  delegationOptionsInput,
  z.tuple([]).transform((): DelegationOptionsInput => ({})),
])

const delegateParams = z.object({
  id: z.string(),
  /** The delegatee's primary address. */
  email: z.string(),
})

export const delegationRoutes = defineRoutes({
  'GET /api/v4/users/{id}/delegations': {
    summary: 'List delegates of a user, by address',
    tag: 'Delegation',
    auth: 'token',
    openTo: borrowedCallers,
    params: objectIdParams,
    ok: delegationList,
    errors: [401, 403, 404],
  },
  'GET /api/v4/users/{id}/delegators': {
    summary: 'List users whose delegate the user is, by address',
    tag: 'Delegation',
    auth: 'token',
    openTo: borrowedCallers,
    params: objectIdParams,
    ok: delegationList,
    errors: [401, 403, 404],
  },
  'POST /api/v4/users/{id}/delegations': {
    summary: 'Make another user of the account a delegate of the user',
    tag: 'Delegation',
    auth: 'token',
    openTo: [],
    stepUp: true,
    hosts: ['user'],
    params: objectIdParams,
    body: z.object({ email: z.string().max(1024), options: sentOptions }),
    ok: successEnvelope.extend({ id: z.uuid() }),
    errors: [401, 403, 404, 422],
  },
  'PUT /api/v4/users/{id}/delegations/{email}': {
    summary: 'Replace the options of a delegate',
    tag: 'Delegation',
    auth: 'token',
    openTo: [],
    stepUp: true,
    hosts: ['user'],
    params: delegateParams,
    body: z.object({ options: sentOptions }),
    ok: successEnvelope.extend({ options: delegationOptions }),
    errors: [401, 403, 404, 422],
  },
  'DELETE /api/v4/users/{id}/delegations/{email}': {
    summary: 'Remove a delegate',
    tag: 'Delegation',
    auth: 'token',
    openTo: borrowedCallers,
    hosts: ['user'],
    params: delegateParams,
    ok: successEnvelope,
    errors: [401, 403, 404],
  },
})
