import { z } from 'zod'
import { mailStorage } from './directory/mail-storage.ts'
import { auditEvent } from './events.ts'
import { mostCounted, mostDebtors } from './overview-limits.ts'
import { defineRoutes } from './route.ts'
import { healthParts, healthStates } from './staff/operations.ts'

/**
 * Possible problems of an area, most urgent first. Names ending in `-failed` mean that the back end rejected
 * the set-up.
 */
export const problemKinds = [
  'degraded',
  'payment-failed',
  'debt',
  'storage-full',
  'mailbox-full',
  'mailboxes-full',
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
  'booking-waits',
  'second-factor-off',
  'domain-records',
  'storage-low',
  'mailbox-low',
  'mailboxes-low',
  'domain-suspended',
  'user-suspended',
  'distlist-suspended',
  'distlist-empty',
] as const

export type ProblemKind = (typeof problemKinds)[number]

/** The most severe problem of an area. */
export const problem = z.object({
  kind: z.enum(problemKinds),
  /** `danger`: something doesn't work; `warning`: it will stop working, or someone stopped it. */
  level: z.enum(['danger', 'warning']),
  /** Number of affected objects; 1 if it affects the account. */
  count: z.number().int(),
  /** The first of these objects; null if it affects the account. */
  name: z.string().nullable(),
  id: z.number().int().nullable(),
})

export type Problem = z.infer<typeof problem>

const area = z.object({ total: z.number().int(), problem: problem.nullable() })

/** A balance at a point in time, in cents. */
const balancePoint = z.object({ at: z.iso.datetime(), balance: z.number().int() })

/** Data for a user's dashboard. Areas that the caller may not access are null. */
export const overview = z.object({
  /** Protection of the caller's own account. */
  security: z.object({
    sessions: z.number().int(),
    /** The account has a second factor or companion device. */
    isProtected: z.boolean(),
  }),
  domains: area.nullable(),
  users: area
    .extend({
      /** Ready, neither suspended nor degraded. */
      active: z.number().int(),
      /** Still being set up. */
      pending: z.number().int(),
      /** What all mailboxes hold together; null if none was measured. */
      mail: z
        .object({
          /** Bytes. */
          used: z.number().int(),
          /** Null if one is unlimited. */
          quota: z.number().int().nullable(),
        })
        .nullable(),
    })
    .nullable(),
  /** The caller's own mailbox; null without one. */
  mailbox: mailStorage.extend({ problem: problem.nullable() }).nullable(),
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
      /** A mandate tops up the wallet. */
      autoPayment: z.boolean(),
      /** `YYYY-MM-DD`; null if the balance is negative or won't run out. */
      lastsUntil: z.string().nullable(),
      /** Balance changes of the last months, oldest first; the first point is the balance before them. */
      past: z.array(balancePoint),
      /** The balance after each charge in the next months. */
      future: z.array(balancePoint),
      problem: problem.nullable(),
    })
    .nullable(),
  rooms: z
    .object({
      total: z.number().int(),
      /** Number of rooms with a meeting in progress. */
      open: z.number().int(),
      /** The one with the most participants. */
      busiest: z.object({ name: z.string(), participants: z.number().int() }).nullable(),
      /** The room to start or join: the busiest, otherwise the one that was used or created last. */
      suggested: z.object({ /** In its URL. */ name: z.string(), title: z.string() }).nullable(),
    })
    .nullable(),
  /** The caller's own files. */
  files: z
    .object({
      /** Bytes. */
      used: z.number().int(),
      quota: z.number().int(),
      /** Number of items that others share with the caller. */
      sharedWithMe: z.number().int(),
      problem: problem.nullable(),
    })
    .nullable(),
  policies: z
    .object({
      /** Minimum length of a password. */
      least: z.number().int(),
      greylist: z.boolean(),
      requiresSecondFactor: z.boolean(),
    })
    .nullable(),
  /** The caller's paired devices. */
  companions: z.object({ paired: z.number().int() }).nullable(),
  /** What needs attention, most urgent first. */
  attention: z.array(problem),
  /** The latest entries of the account's activity; users who control no account see their own sign-ins. */
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
  /** Date since which the balance is negative. */
  since: z.string(),
  isDegraded: z.boolean(),
})

/** Data for a cockpit dashboard. Resellers see their own tenant, and nothing about the installation. */
export const staffOverview = z.object({
  unpaid: z.object({
    count: z.number().int().max(mostCounted),
    /** Those that have owed longest. */
    list: z.array(debtor).max(mostDebtors),
  }),
  degraded: z.number().int().max(mostCounted),
  /** New accounts per week, oldest first; the last week is incomplete. */
  signups: z.array(z.object({ /** Its Monday. */ week: z.string(), count: z.number().int() })),
  /** Large bonuses and penalties that the reader may approve. */
  approvals: z.number().int(),
  /** Invitations of the reseller's tenant. */
  invitations: z.object({ open: z.number().int(), failed: z.number().int() }).optional(),
  /** Number of tenants visible to the reader, and of host names that they have yet to verify. */
  tenants: z.object({ total: z.number().int(), unproven: z.number().int() }),
  /** Admins only. */
  operations: z
    .object({
      deadJobs: z.number().int(),
      retryingJobs: z.number().int(),
      health: z.enum(['ok', 'degraded', 'down']),
      /** Parts that aren't healthy. */
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
