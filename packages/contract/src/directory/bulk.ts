import { z } from 'zod'
import { successEnvelope, wireDate } from '../envelope.ts'
import { csvQuery, pagedList, pageQuery } from '../list.ts'
import { borrowedCallers, defineRoutes } from '../route.ts'
import { objectStates } from './directory.ts'
import { type MailPath, mailPaths } from './kinds.ts'
import { objectId, userStates } from './users.ts'

/** Work on many objects at once: acts on chosen ones, imports of files, and their progress. */

export const bulkObjects = mailPaths

export type BulkObjects = MailPath

/**
 * `package`: exactly the subscriptions of a package; `join`, `leave`: the recipients of a distribution list; `resume`:
 * the end of a suspension by the account; `password-link`: a mail to the private address.
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

/** `members`: recipients of lists that exist. */
export const importKinds = ['users', 'groups', 'members'] as const

export type ImportKind = (typeof importKinds)[number]

/** Objects that one act may name. */
export const maxBulkObjects = 10_000

/** Bytes and rows of a file that is imported. */
export const maxImportBytes = 10 * 1024 * 1024
export const maxImportRows = 5000

const cents = z.number().int()

/** What a batch costs the account, after its discount. */
export const bulkPrice = z.object({
  currency: z.string(),
  /** Percent. */
  discount: z.number().int(),
  /** Cents a month of the whole account, now and afterwards. */
  monthly: z.object({ now: cents, next: cents }),
  /** Cents that removed subscriptions have run up. Added ones are billed when their month is over. */
  dueNow: cents,
})

export type BulkPrice = z.infer<typeof bulkPrice>

/**
 * `reading`: a file is being uploaded; `checking`: its rows are being looked at; `ready`: it waits to be started,
 * nothing has happened yet.
 */
export const batchStates = ['reading', 'checking', 'ready', 'running', 'done', 'cancelled'] as const

export type BatchState = (typeof batchStates)[number]

/** `open`: not looked at; `ok`: would succeed; `refused`: would not; `skipped`: cancelled before its turn. */
export const rowStates = ['open', 'ok', 'refused', 'done', 'failed', 'skipped'] as const

export type RowState = (typeof rowStates)[number]

/** A sentence, and the field or column that it is about. */
export const rowMessage = z.object({ field: z.string().nullable(), text: z.string() })

export const batchRow = z.object({
  /** For a file the row as a spreadsheet counts it, its headings being row 1. */
  n: z.number().int(),
  /** Address or name that the row is about. */
  label: z.string(),
  state: z.enum(rowStates),
  messages: z.array(rowMessage),
  /** The object that was changed or created. */
  objectId: objectId.nullable(),
})

export type BatchRow = z.infer<typeof batchRow>

export const batch = z.object({
  id: z.uuid(),
  kind: z.enum(['bulk', 'import']),
  /** Kind of the objects; of imports what the rows are. */
  objects: z.string(),
  action: z.enum([...bulkActions, 'create']),
  state: z.enum(batchStates),
  /** Who made it; null: somebody who is gone. */
  by: z.string().nullable(),
  total: z.number().int(),
  /** Rows by their state. */
  counts: z.record(z.enum(rowStates), z.number().int()),
  price: bulkPrice.nullable(),
  created_at: wireDate,
  started_at: wireDate.nullable(),
  ended_at: wireDate.nullable(),
  canStart: z.boolean(),
  canCancel: z.boolean(),
})

export type Batch = z.infer<typeof batch>

/** What an act would do. */
export const bulkPreview = z.object({
  total: z.number().int(),
  ok: z.number().int(),
  refused: z.number().int(),
  /** The first of those that are refused, with reasons. */
  rows: z.array(batchRow),
  price: bulkPrice,
})

export type BulkPreview = z.infer<typeof bulkPreview>

export const bulkInput = z.object({
  objects: z.enum(bulkObjects),
  action: z.enum(bulkActions),
  /** The objects; or `filter`. */
  ids: z.array(objectId).min(1).max(maxBulkObjects).nullish(),
  /** All objects that the list would show; `{}`: all there are. */
  filter: z.object({ search: z.string().max(191).nullish(), status: z.string().max(32).nullish() }).nullish(),
  /** For `package`. */
  package: z.string().max(64).nullish(),
  /** The distribution list for `join` and `leave`. */
  group: objectId.nullish(),
  /** True: only say what would happen. */
  dryRun: z.boolean().nullish(),
})

export type BulkInput = z.input<typeof bulkInput>

const batchParams = z.object({ id: z.string() })

const shared = { tag: 'Bulk work', auth: 'token', hosts: ['user'] } as const

/** Each list as a CSV file, with the filters of the list; importing it again leaves everything as it is. */
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
      /** Package of users whose row names none. */
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
