import { z } from 'zod'
import { successEnvelope, wireDate } from '../envelope.ts'
import { pagedList, pageQuery } from '../list.ts'
import { borrowedCallers, defineRoutes } from '../route.ts'
import { bulkPrice, rowMessage, rowStates } from './bulk.ts'
import { folderTypes } from './folders.ts'
import { maxMembers } from './groups.ts'
import { newUserInput, objectId, secondFactorPolicy } from './users.ts'

/** The desired state of an account as a document, and plans that change the account accordingly. */

/** Kinds in the order in which they are created and changed; they are deleted in reverse order. */
export const stateKinds = ['domains', 'users', 'lists', 'resources', 'folders', 'rooms', 'policies'] as const

export type StateKind = (typeof stateKinds)[number]

/** Kinds whose objects can be created and deleted. */
export const objectKinds = ['domains', 'users', 'lists', 'resources', 'folders', 'rooms'] as const

export type ObjectKind = (typeof objectKinds)[number]

/** Maximum bytes of a document, objects in it, and steps of a plan. */
export const maxDocumentBytes = 8 * 1024 * 1024
export const maxStateObjects = 20_000
export const maxPlanSteps = 5000

/** Seconds during which a plan can be applied. */
export const planLife = 3600
/** Days during which an applied plan can be undone. */
export const undoDays = 30

const text = z.string().max(1024)
const texts = z.array(text).max(1000)

const {
  email: _email,
  package: _package,
  aliases: _aliases,
  password: _password,
  password_confirmation: _confirmation,
  passwordLinkCode: _linkCode,
  ...profile
} = newUserInput.shape

const domainState = z.strictObject({
  name: text,
  /** Title of the package; only for a new domain. */
  package: z.string().max(191).optional(),
  spf_whitelist: texts.optional(),
})

const userState = z.strictObject({
  /** The user's address, which can't be changed. */
  email: text,
  ...profile,
  aliases: texts.optional(),
  /** Title of the package. */
  package: z.string().max(191).optional(),
  /** Storage in GB. */
  quota: z.number().int().min(0).max(100_000).optional(),
  settings: z
    .strictObject({
      /** Null inherits the account's policy. */
      greylist_enabled: z.boolean().nullable().optional(),
      itip_config: z.boolean().nullable().optional(),
      externalsender_config: z.boolean().nullable().optional(),
      guam_enabled: z.boolean().optional(),
      limit_geo: z.array(z.string().max(16)).max(250).optional(),
    })
    .optional(),
})

const listState = z.strictObject({
  email: text,
  name: text.optional(),
  members: z.array(text).max(maxMembers).optional(),
  sender_policy: texts.optional(),
  members_may_send: z.boolean().optional(),
})

const resourceState = z.strictObject({
  name: text,
  domain: text,
  /** `accept`, `reject` or `manual:<address>`. */
  invitation_policy: text.optional(),
})

const folderState = z.strictObject({
  name: text,
  domain: text,
  /** Only for a new folder; defaults to `mail`. */
  type: z.enum(folderTypes).optional(),
  aliases: texts.optional(),
  /** `<anyone or a user's address>, <right>`. */
  acl: texts.optional(),
})

const roomState = z.strictObject({
  /** Name of an existing room; a new room gets a generated one. */
  name: z.string().max(16).optional(),
  /** Identifies the room if it has no name here. */
  description: z.string().max(191).nullish(),
  locked: z.boolean().optional(),
  nomedia: z.boolean().optional(),
  /** Addresses. */
  moderators: texts.optional(),
})

const policyState = z.strictObject({
  greylist_policy: z.boolean().optional(),
  itip_policy: z.boolean().optional(),
  externalsender_policy: z.boolean().optional(),
  externalsender_policy_domains: texts.optional(),
  password_policy: z.string().max(191).nullable().optional(),
  /** Months. */
  max_password_age: z.number().int().min(0).max(120).nullable().optional(),
  staff_access_policy: z.boolean().nullable().optional(),
  second_factor_policy: secondFactorPolicy.nullable().optional(),
})

/** Kinds and fields that a document doesn't contain aren't changed. */
export const accountDocument = z.strictObject({
  version: z.literal(1),
  /** Kinds whose objects are all in the document: others of these kinds are deleted. */
  complete: z.array(z.enum(objectKinds)).optional(),
  domains: z.array(domainState).optional(),
  users: z.array(userState).optional(),
  lists: z.array(listState).optional(),
  resources: z.array(resourceState).optional(),
  folders: z.array(folderState).optional(),
  rooms: z.array(roomState).optional(),
  policies: policyState.optional(),
})

export type AccountDocument = z.infer<typeof accountDocument>

export const stepActions = ['create', 'change', 'delete', 'restore'] as const

export type StepAction = (typeof stepActions)[number]

const values = z.record(z.string(), z.unknown())

export const planStep = z.object({
  n: z.number().int(),
  kind: z.enum(stateKinds),
  action: z.enum(stepActions),
  /** Address or name of the object. */
  label: z.string(),
  /** Fields that change, before and after. */
  before: values.nullable(),
  after: values.nullable(),
  state: z.enum(rowStates),
  messages: z.array(rowMessage),
  objectId: objectId.nullable(),
  /** Whether the step can be undone after the plan is applied, and a restriction. */
  undo: z.object({ possible: z.boolean(), note: z.string().nullable() }),
})

export type PlanStep = z.infer<typeof planStep>

/**
 * `ready`: can be applied until `expires_at`. `applying`: a job is working on it. `applied`: all steps were
 * done. `failed`: a step failed, and nothing was changed.
 */
export const planStates = ['ready', 'expired', 'applying', 'applied', 'failed', 'cancelled'] as const

export const plan = z.object({
  /** Null if there is nothing to change. */
  id: z.uuid().nullable(),
  state: z.enum(planStates),
  /** The plan that this one undoes. */
  undoes: z.uuid().nullable(),
  by: z.string().nullable(),
  /** Number of steps by action, without those that can't be done. */
  counts: z.record(z.enum(stepActions), z.number().int()),
  total: z.number().int(),
  /** Number of steps that can't be done; only when undoing. */
  refused: z.number().int(),
  price: bulkPrice,
  /** The first steps. */
  steps: z.array(planStep),
  created_at: wireDate,
  expires_at: wireDate,
  ended_at: wireDate.nullable(),
  canApply: z.boolean(),
  canUndo: z.boolean(),
})

export type Plan = z.infer<typeof plan>

const tag = 'Desired state'
const planParams = z.object({ id: z.string() })
const answer = successEnvelope.extend({ plan })
const shared = { tag, auth: 'token', openTo: ['apiKey'], hosts: ['user'] } as const

export const planRoutes = defineRoutes({
  'GET /api/v4/state': {
    tag,
    auth: 'token',
    openTo: borrowedCallers,
    hosts: ['user'],
    summary: "Get the state of the caller's account as a document for a plan",
    ok: accountDocument,
    errors: [401, 403, 404],
  },
  'POST /api/v4/plans': {
    ...shared,
    summary: 'Plan the changes that give the account the state of a document; changes nothing yet',
    // the document, in JSON: read after the caller is known, because it can be large
    upload: true,
    body: z.object({}),
    ok: answer,
    errors: [401, 403, 404, 422],
  },
  'GET /api/v4/plans/{id}': {
    ...shared,
    summary: 'Get state and price of a plan',
    params: planParams,
    ok: plan,
    errors: [401, 403, 404],
  },
  'GET /api/v4/plans/{id}/steps': {
    ...shared,
    summary: 'List the steps of a plan with their results',
    params: planParams,
    query: pageQuery,
    ok: pagedList(planStep).extend({ total: z.number().int() }),
    errors: [401, 403, 404, 422],
  },
  'POST /api/v4/plans/{id}/apply': {
    ...shared,
    summary: 'Apply a plan, all steps or none; has no effect on a plan that was already applied',
    params: planParams,
    body: z.object({}),
    ok: answer,
    errors: [401, 403, 404, 409, 422],
  },
  'POST /api/v4/plans/{id}/undo': {
    ...shared,
    summary: 'Plan the changes that undo an applied plan; changes nothing yet',
    params: planParams,
    body: z.object({}),
    ok: answer,
    errors: [401, 403, 404, 409, 422],
  },
})
