import { z } from 'zod'
import { subscriptions } from '../billing/subscriptions.ts'
import { wireDate } from '../envelope.ts'
import { pageQuery } from '../list.ts'
import { objectId, processState, processStep, wallet } from './users.ts'

/** What domains, distribution lists, resources and shared folders have in common on the wire. */

/** Set-up progress of an object; reference api-objects §4. */
export const objectStatusInfo = z.object({
  process: z.array(processStep),
  processState,
  isDone: z.boolean(),
})

export type ObjectStatusInfo = z.infer<typeof objectStatusInfo>

/** What the reader may do with an object: a control is shown exactly when its call is allowed. */
export const objectRights = z.object({
  canUpdate: z.boolean(),
  canDelete: z.boolean(),
  canConfigure: z.boolean(),
  canReadEvents: z.boolean(),
})

export type ObjectRights = z.infer<typeof objectRights>

/** Every object's own page has these. */
export const objectDetail = z.object({
  id: objectId,
  /** Bit mask of the type's status. */
  status: z.number().int(),
  created_at: wireDate,
  updated_at: wireDate,
  deleted_at: wireDate.nullable(),
  statusInfo: objectStatusInfo,
  skus: subscriptions,
  /** The wallet that pays for it; null: nobody's, as public domains. */
  wallet: wallet.nullable(),
  /** Names this state of what its form shows; send it back with a change to refuse a stale one. */
  revision: z.string(),
  ...objectRights.shape,
})

/** `pending`: not ready yet; `deleted`: gone, but may still be restored. */
export const objectStates = ['active', 'pending', 'suspended', 'deleted'] as const

export type ObjectState = (typeof objectStates)[number]

/** Query of a list; each list has its own keys to sort by. */
export const objectListQuery = pageQuery.extend({
  /** Part of a name or address. */
  search: z.string().max(191).nullish(),
  order: z.enum(['asc', 'desc']).nullish(),
  status: z.enum(objectStates).nullish(),
})

/** Rows of a list have these; the dates of deletion only among the deleted ones. */
export const objectListItem = z.object({
  id: objectId,
  created_at: wireDate,
  deleted_at: wireDate.nullable(),
  /** Until then a deleted object may be restored. */
  restorable_until: wireDate.nullable(),
})

/** The revision that a change is based on; another one by now answers 409. */
export const revisionInput = z.string().max(64).nullish()

/** statusInfo and flags side by side; with `refresh` also the outcome of the push. */
export const refreshOutcome = {
  status: z.enum(['success', 'error']).optional(),
  message: z.string().optional(),
}

export const statusQuery = z.object({ refresh: z.string().nullish() })
