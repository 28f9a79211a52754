import { z } from 'zod'
import { subscriptions } from '../billing/subscriptions.ts'
import { wireDate } from '../envelope.ts'
import { pageQuery } from '../list.ts'
import { objectId, processState, processStep, wallet } from './users.ts'

/** Schemas shared by domains, distribution lists, resources and shared folders. */

/** Set-up progress of an object; reference api-objects §4. */
export const objectStatusInfo = z.object({
  process: z.array(processStep),
  processState,
  isDone: z.boolean(),
})

export type ObjectStatusInfo = z.infer<typeof objectStatusInfo>

/** What the reader may do with an object: a control is shown exactly if its call is allowed. */
export const objectRights = z.object({
  canUpdate: z.boolean(),
  canDelete: z.boolean(),
  canConfigure: z.boolean(),
  canReadEvents: z.boolean(),
})

export type ObjectRights = z.infer<typeof objectRights>

/** Properties of every object's own page. */
export const objectDetail = z.object({
  id: objectId,
  /** Bit mask of the type's status flags. */
  status: z.number().int(),
  created_at: wireDate,
  updated_at: wireDate,
  deleted_at: wireDate.nullable(),
  statusInfo: objectStatusInfo,
  skus: subscriptions,
  /** The wallet that pays for it; null for public domains. */
  wallet: wallet.nullable(),
  /** Identifies the current form values; send it back with a change to reject stale ones. */
  revision: z.string(),
  ...objectRights.shape,
})

/** `pending`: not ready yet; `deleted`: deleted, but can still be restored. */
export const objectStates = ['active', 'pending', 'suspended', 'deleted'] as const

export type ObjectState = (typeof objectStates)[number]

/** List query; each list has its own sort keys. */
export const objectListQuery = pageQuery.extend({
  /** Part of a name or address. */
  search: z.string().max(191).nullish(),
  order: z.enum(['asc', 'desc']).nullish(),
  status: z.enum(objectStates).nullish(),
})

/** Properties of every list row; deletion dates only for deleted objects. */
export const objectListItem = z.object({
  id: objectId,
  created_at: wireDate,
  deleted_at: wireDate.nullable(),
  /** Deadline for restoring a deleted object. */
  restorable_until: wireDate.nullable(),
})

/** The revision that a change is based on; returns 409 if it is stale. */
export const revisionInput = z.string().max(64).nullish()

/** statusInfo and flags side by side; with `refresh` also the result of the retry. */
export const refreshOutcome = {
  status: z.enum(['success', 'error']).optional(),
  message: z.string().optional(),
}

export const statusQuery = z.object({ refresh: z.string().nullish() })
