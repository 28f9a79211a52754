import type { Overview } from '@gatehouse/contract/overview'

/** Overview of a nearly empty account, with a test's changes. */
export function testOverview(change: Partial<Overview> = {}): Overview {
  return {
    security: { sessions: 1, isProtected: false },
    domains: { total: 0, problem: null },
    users: { total: 1, active: 1, pending: 0, mail: null, problem: null },
    mailbox: null,
    distlists: null,
    resources: null,
    folders: null,
    wallet: {
      ...{ id: '019a0000-0000-7000-8000-000000000001', currency: 'CHF', balance: 0, autoPayment: false },
      ...{ lastsUntil: null, past: [], future: [], problem: null },
    },
    rooms: { total: 0, open: 0, busiest: null, suggested: null },
    files: { used: 0, quota: 1024 ** 3, sharedWithMe: 0, problem: null },
    policies: { least: 8, greylist: true, requiresSecondFactor: false },
    companions: { paired: 0 },
    attention: [],
    activity: [],
    canCreateUsers: true,
    canCreateRooms: true,
    canAddFiles: true,
    ...change,
  }
}
