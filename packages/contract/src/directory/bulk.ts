import { z } from 'zod'
import { successEnvelope, wireDate } from '../envelope.ts'
import { csvQuery, pagedList, pageQuery } from '../list.ts'
import { borrowedCallers, defineRoutes } from '../route.ts'
import { objectStates } from './directory.ts'
import { type MailPath, mailPaths } from './kinds.ts'
import { objectId, userStates } from './users.ts'

/** Bulk work: actions on selected objects, file imports, and their progress. */

export const bulkObjects = mailPaths

export type BulkObjects = MailPath

/**
 * `package`: sets exactly the subscriptions of a package; `join`, `leave`: members of a distribution list;
 * `resume`: ends a suspension by the account; `password-link`: mails a link to the private address.
 */
export const bulkActions = [
  'delete',
  'restore',
  'package',
  'join',
  'leave',
  'suspend',
  'resume',
  'password-link',
] as const

export type BulkAction = (typeof bulkActions)[number]

/** `members`: members of existing lists. */
export const importKinds = ['users', 'groups', 'members'] as const

export type ImportKind = (typeof importKinds)[number]

/** Maximum objects per action. */
export const maxBulkObjects = 10_000

/** Maximum bytes and rows of an import file. */
export const maxImportBytes = 10 * 1024 * 1024
export const maxImportRows = 5000

const cents = z.number().int()

/** Price of a batch for the account, after its discount. */
export const bulkPrice = z.object({
  currency: z.string(),
  /** Percent. */
  discount: z.number().int(),
  /** Cents per month of the whole account, before and after. */
  monthly: z.object({ now: cents, next: cents }),
  /** Cents accrued by removed subscriptions. Added ones are billed at the end of their month. */
  dueNow: cents,
})

export type BulkPrice = z.infer<typeof bulkPrice>

/**
 * `reading`: a file is being uploaded; `checking`: its rows are being validated; `ready`: waits for
 * confirmation, nothing has changed yet.
 */
export const batchStates = ['reading', 'checking', 'ready', 'running', 'done', 'cancelled'] as const

export type BatchState = (typeof batchStates)[number]

/**
 * `open`: not validated yet; `ok`: would succeed; `refused`: would fail; `skipped`: cancelled before it was
 * processed.
 */
export const rowStates = ['open', 'ok', 'refused', 'done', 'failed', 'skipped'] as const

export type RowState = (typeof rowStates)[number]

/** A message, and the field or column that it refers to. */
export const rowMessage = z.object({ field: z.string().nullable(), text: z.string() })

export const batchRow = z.object({
  /** For files, the row number as in a spreadsheet; the headings are row 1. */
  n: z.number().int(),
  /** Address or name of the row's object. */
  label: z.string(),
  state: z.enum(rowStates),
  messages: z.array(rowMessage),
  /** The changed or created object. */
  objectId: objectId.nullable(),
})

export type BatchRow = z.infer<typeof batchRow>

export const batch = z.object({
  id: z.uuid(),
  /** `plan`: a plan for the desired state of the account, whose rows are its steps. */
  kind: z.enum(['bulk', 'import', 'plan']),
  /** Kind of the objects; for imports, kind of the rows. */
  objects: z.string(),
  action: z.enum([...bulkActions, 'create', 'apply', 'undo']),
  state: z.enum(batchStates),
  /** Who created it; null if that user no longer exists. */
  by: z.string().nullable(),
  total: z.number().int(),
  /** Number of rows by state. */
  counts: z.record(z.enum(rowStates), z.number().int()),
  price: bulkPrice.nullable(),
  created_at: wireDate,
  started_at: wireDate.nullable(),
  ended_at: wireDate.nullable(),
  canStart: z.boolean(),
  canCancel: z.boolean(),
})

export type Batch = z.infer<typeof batch>

/** Preview of an action. */
export const bulkPreview = z.object({
  total: z.number().int(),
  ok: z.number().int(),
  refused: z.number().int(),
  /** The first rejected rows, with reasons. */
  rows: z.array(batchRow),
  price: bulkPrice,
})

export type BulkPreview = z.infer<typeof bulkPreview>

export const bulkInput = z.object({
  objects: z.enum(bulkObjects),
  action: z.enum(bulkActions),
  /** The objects; alternatively use `filter`. */
  ids: z.array(objectId).min(1).max(maxBulkObjects).nullish(),
  /** All objects that match the list's filter; `{}` selects all. */
  filter: z.object({ search: z.string().max(191).nullish(), status: z.string().max(32).nullish() }).nullish(),
  /** For `package` only. */
  package: z.string().max(64).nullish(),
  /** The distribution list for `join` and `leave`. */
  group: objectId.nullish(),
  /** If true, only previews the result. */
  dryRun: z.boolean().nullish(),
})

export type BulkInput = z.input<typeof bulkInput>

const batchParams = z.object({ id: z.string() })

const shared = { tag: 'Bulk work', auth: 'token', hosts: ['user'] } as const

/** Exports each list as CSV, with the list's filters; re-importing the file changes nothing. */
const csvExport = {
  tag: 'Bulk work',
  auth: 'token',
  hosts: ['user'],
  download: 'text/csv',
  ok: z.string(),
  errors: [401, 403, 404, 422],
} as const

const csvFilter = z.object({ search: z.string().max(191).nullish(), ...csvQuery })
const objectFilter = csvFilter.extend({ status: z.enum(objectStates).nullish() })

export const bulkRoutes = defineRoutes({
  'GET /api/v4/users/export': {
    ...csvExport,
    openTo: borrowedCallers,
    summary: 'Export users as CSV',
    query: csvFilter.extend({ status: z.enum(userStates).nullish() }),
  },
  'GET /api/v4/domains/export': {
    ...csvExport,
    openTo: borrowedCallers,
    summary: 'Export domains as CSV',
    query: objectFilter,
  },
  'GET /api/v4/groups/export': {
    ...csvExport,
    openTo: borrowedCallers,
    summary: 'Export distribution lists as CSV, with one row per list or per recipient',
    query: objectFilter.extend({ by: z.enum(['list', 'member']).nullish() }),
  },
  'GET /api/v4/resources/export': {
    ...csvExport,
    openTo: borrowedCallers,
    summary: 'Export resources as CSV',
    query: objectFilter,
  },
  'GET /api/v4/shared-folders/export': {
    ...csvExport,
    openTo: borrowedCallers,
    summary: 'Export shared folders as CSV',
    query: objectFilter,
  },
  'POST /api/v4/bulk': {
    ...shared,
    openTo: borrowedCallers,
    summary: 'Run or preview an action on many objects',
    body: bulkInput,
    ok: successEnvelope.extend({ preview: bulkPreview.optional(), batch: batch.optional() }),
    errors: [401, 403, 404, 422],
  },
  'POST /api/v4/imports': {
    ...shared,
    openTo: [],
    summary: 'Upload a CSV file of new users, lists or members; validates the rows but creates nothing yet',
    upload: true,
    body: z.object({
      kind: z.enum(importKinds),
      /** Package of users whose row has none. */
      package: z.string().max(64).nullish(),
    }),
    ok: successEnvelope.extend({ batch }),
    errors: [401, 403, 404, 422],
  },
  'GET /api/v4/batches': {
    ...shared,
    openTo: borrowedCallers,
    summary: 'List bulk actions and imports in the accounts that the caller owns or controls, newest first',
    query: pageQuery,
    ok: pagedList(batch).extend({ total: z.number().int() }),
    errors: [401, 403, 404, 422],
  },
  'GET /api/v4/batches/{id}': {
    ...shared,
    openTo: borrowedCallers,
    summary: 'Get state and progress of a batch',
    params: batchParams,
    ok: batch,
    errors: [401, 403, 404],
  },
  'GET /api/v4/batches/{id}/rows': {
    ...shared,
    openTo: borrowedCallers,
    summary: 'List rows of a batch with their results',
    params: batchParams,
    query: pageQuery.extend({ state: z.enum(rowStates).nullish() }),
    ok: pagedList(batchRow).extend({ total: z.number().int() }),
    errors: [401, 403, 404, 422],
  },
  'GET /api/v4/batches/{id}/export': {
    ...shared,
    openTo: borrowedCallers,
    summary: 'Export rows of a batch with their results as CSV',
    download: 'text/csv',
    params: batchParams,
    query: z.object({ state: z.enum(rowStates).nullish(), ...csvQuery }),
    ok: z.string(),
    errors: [401, 403, 404, 422],
  },
  'POST /api/v4/batches/{id}/start': {
    ...shared,
    openTo: [],
    summary: 'Start a validated batch; has no effect on a batch that was already started',
    params: batchParams,
    body: z.object({}),
    ok: successEnvelope.extend({ batch }),
    errors: [401, 403, 404, 409, 422],
  },
  'POST /api/v4/batches/{id}/cancel': {
    ...shared,
    openTo: borrowedCallers,
    summary: "Stop a batch before its next row; processed rows aren't undone",
    params: batchParams,
    body: z.object({}),
    ok: successEnvelope.extend({ batch }),
    errors: [401, 403, 404, 422],
  },
})
