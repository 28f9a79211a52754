import { z } from 'zod'
import { auditEvent } from './events.ts'
import { mostCounted, mostDebtors } from './overview-limits.ts'
import { defineRoutes } from './route.ts'
import { healthParts, healthStates } from './staff/operations.ts'

/**
 * What can be wrong in an area, the most urgent first. Where a name ends in `-failed` the back end refused what has to be
 * set up.
 */
export const problemKinds = [
  'degraded',
  'payment-failed',
  'debt',
  'storage-full',
  'domain-unconfirmed',
  'domain-proof-missing',
  'domain-failed',
  'user-failed',
  'distlist-failed',
  'resource-failed',
  'folder-failed',
  'low-balance',
  'trial-ends',
  'recovery-missing',
  'second-factor-off',
  'domain-records',
  'storage-low',
  'domain-suspended',
  'user-suspended',
  'distlist-suspended',
  'distlist-empty',
] as const

export type ProblemKind = (typeof problemKinds)[number]

/** The worst thing that is wrong in an area. */
export const problem = z.object({
  kind: z.enum(problemKinds),
  /** `danger`: something doesn't work; `warning`: it will stop, or somebody stopped it. */
  level: z.enum(['danger', 'warning']),
  /** How many objects have it; 1 where it concerns the account. */
  count: z.number().int(),
  /** The first of these objects; null where it concerns the account. */
  name: z.string().nullable(),
  id: z.number().int().nullable(),
})

export type Problem = z.infer<typeof problem>

const area = z.object({ total: z.number().int(), problem: problem.nullable() })

/** A balance at a moment, in cents. */
const balancePoint = z.object({ at: z.iso.datetime(), balance: z.number().int() })

/** What the dashboard of a user shows. An area that the caller may not open is null. */
export const overview = z.object({
  /** The caller's own protection. */
  security: z.object({
    sessions: z.number().int(),
    /** Something beside the password protects the account. */
    isProtected: z.boolean(),
  }),
  domains: area.nullable(),
  users: area
    .extend({
      /** Ready, and neither suspended nor degraded. */
      active: z.number().int(),
      /** Still being set up. */
      pending: z.number().int(),
    })
    .nullable(),
  distlists: area.extend({ /** Of all lists together. */ members: z.number().int() }).nullable(),
  resources: area.nullable(),
  folders: area
    .extend({
      mail: z.number().int(),
      calendars: z.number().int(),
      addressBooks: z.number().int(),
    })
    .nullable(),
  wallet: z
    .object({
      id: z.uuid(),
      currency: z.string(),
      balance: z.number().int(),
      /** A mandate tops the wallet up. */
      autoPayment: z.boolean(),
      /** `YYYY-MM-DD`; null: the balance is below zero, or nothing ends it. */
      lastsUntil: z.string().nullable(),
      /** The balance of the last months where it changed, oldest first; the first point is where it stood before. */
      past: z.array(balancePoint),
      /** The balance after each charge of the next months. */
      future: z.array(balancePoint),
      problem: problem.nullable(),
    })
    .nullable(),
  rooms: z
    .object({
      total: z.number().int(),
      /** Rooms in which a meeting is under way. */
      open: z.number().int(),
      /** The fullest of those. */
      busiest: z.object({ name: z.string(), participants: z.number().int() }).nullable(),
    })
    .nullable(),
  /** The caller's own files. */
  files: z
    .object({
      /** Bytes. */
      used: z.number().int(),
      quota: z.number().int(),
      /** What others share with the caller. */
      sharedWithMe: z.number().int(),
      problem: problem.nullable(),
    })
    .nullable(),
  policies: z
    .object({
      /** Characters of a password. */
      least: z.number().int(),
      greylist: z.boolean(),
      requiresSecondFactor: z.boolean(),
    })
    .nullable(),
  /** Paired devices of the caller. */
  companions: z.object({ paired: z.number().int() }).nullable(),
  /** What somebody should do something about, the most urgent first. */
  attention: z.array(problem),
  /** The last entries of the account's activity; who controls no account sees their own sign-ins. */
  activity: z.array(auditEvent),
  canCreateUsers: z.boolean(),
  canCreateRooms: z.boolean(),
  canAddFiles: z.boolean(),
})

export type Overview = z.infer<typeof overview>

const debtor = z.object({
  id: z.number().int(),
  email: z.string(),
  balance: z.number().int(),
  currency: z.string(),
  /** Day since when the balance is below zero. */
  since: z.string(),
  isDegraded: z.boolean(),
})

/** What the dashboard of a cockpit shows. A reseller sees the own tenant, and nothing of the installation. */
export const staffOverview = z.object({
  unpaid: z.object({
    count: z.number().int().max(mostCounted),
    /** Those that owe longest. */
    list: z.array(debtor).max(mostDebtors),
  }),
  degraded: z.number().int().max(mostCounted),
  /** New accounts by week, oldest first; the last week is not over. */
  signups: z.array(z.object({ /** Its Monday. */ week: z.string(), count: z.number().int() })),
  /** Large bookings that wait for a word of the reader. */
  approvals: z.number().int(),
  /** Of the reseller's tenant. */
  invitations: z.object({ open: z.number().int(), failed: z.number().int() }).optional(),
  /** Names that the tenants of the reader's scope have to prove, and how many tenants there are. */
  tenants: z.object({ total: z.number().int(), unproven: z.number().int() }),
  /** For admins. */
  operations: z
    .object({
      deadJobs: z.number().int(),
      retryingJobs: z.number().int(),
      health: z.enum(['ok', 'degraded', 'down']),
      /** Parts that aren't well. */
      parts: z.array(z.object({ name: z.enum(healthParts), state: z.enum(healthStates) })),
    })
    .optional(),
})

export type StaffOverview = z.infer<typeof staffOverview>

export const overviewRoutes = defineRoutes({
  'GET /api/v4/overview': {
    summary: 'Get the dashboard: counts and worst problem of each area, and items that need attention',
    tag: 'Overview',
    auth: 'token',
    openTo: ['impersonated'],
    hosts: ['user'],
    ok: overview,
    errors: [401, 403, 404],
  },
  'GET /api/v4/overview @staff': {
    summary: 'Get the dashboard of a cockpit; resellers see their own tenant',
    tag: 'Overview',
    auth: 'token',
    openTo: [],
    hosts: ['admin', 'reseller'],
    ok: staffOverview,
    errors: [401, 403, 404],
  },
})
