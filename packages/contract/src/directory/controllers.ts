import { z } from 'zod'
import { successEnvelope, wireDate } from '../envelope.ts'
import { borrowedCallers, defineRoutes } from '../route.ts'
import { objectId } from './users.ts'

/** Additional owners of an account, and the mailed offers to become one or to take over the account. */

/** Maximum additional owners plus open invitations per account. */
export const maxControllers = 20

/** Lifetime of an offer in days. */
export const offerDays = 7

export const controller = z.object({
  id: objectId,
  email: z.string(),
  /** First and last name, or else the address. */
  name: z.string(),
  /** Owns the account; each account has exactly one owner. */
  isOwner: z.boolean(),
  /** The account pays for this user; others have their own account. */
  isMember: z.boolean(),
})

export type Controller = z.infer<typeof controller>

export const controllerInvitation = z.object({
  id: z.uuid(),
  email: z.string(),
  created_at: wireDate,
  expires_at: wireDate,
})

export type ControllerInvitation = z.infer<typeof controllerInvitation>

const controllers = z.object({
  /** The owner first, then sorted by address. */
  list: z.array(controller),
  /** Open invitations, sorted by address. */
  invitations: z.array(controllerInvitation),
  count: z.number().int(),
  hasMore: z.literal(false),
  /** Ownership transfer in progress; null if there is none. */
  handOver: z
    .object({
      /** The new owner. */
      email: z.string(),
      /** The owner has confirmed; the new owner has yet to accept. */
      isConfirmed: z.boolean(),
      expires_at: wireDate,
    })
    .nullable(),
  /** The reader may invite, remove and withdraw. The owner can't be removed. */
  canChange: z.boolean(),
  /** The reader may transfer the account to another owner. */
  canHandOver: z.boolean(),
})

export type Controllers = z.infer<typeof controllers>

/**
 * `controller`: become an additional owner. `give`: confirm the transfer to a new owner. `take`: become the
 * owner.
 */
export const offerKinds = ['controller', 'give', 'take'] as const

export const accountOffer = z.object({
  kind: z.enum(offerKinds),
  /** Address of the account's owner. */
  account: z.string(),
  /** Who made the offer; null for support staff. */
  from: z.string().nullable(),
  /** The new owner of a transfer. */
  heir: z.string().nullable(),
  expires_at: wireDate,
})

export type AccountOffer = z.infer<typeof accountOffer>

const walletParams = z.object({ id: z.string() })
const offerParams = z.object({ code: z.string() })
const email = z.email().max(191)
const reason = z.string().min(3).max(1024)
const ofAccount = { auth: 'token', tag: 'Owners', hosts: ['user'] } as const
const ofStaff = { auth: 'token', tag: 'Staff', hosts: ['admin', 'reseller'] } as const

export const controllerRoutes = defineRoutes({
  'GET /api/v4/wallets/{id}/controllers': {
    ...ofAccount,
    summary: 'List the owner, additional owners and open invitations of an account',
    openTo: borrowedCallers,
    params: walletParams,
    ok: controllers,
    errors: [401, 403, 404],
  },
  'POST /api/v4/wallets/{id}/controllers': {
    ...ofAccount,
    summary:
      "Invite a user of the same tenant to become an additional owner. The response doesn't reveal whether the user exists",
    openTo: [],
    stepUp: true,
    params: walletParams,
    body: z.object({ email }),
    ok: successEnvelope.extend({ id: z.uuid() }),
    errors: [401, 403, 404, 422, 429],
  },
  'DELETE /api/v4/wallets/{id}/controllers/{user}': {
    ...ofAccount,
    summary: 'Remove an additional owner, or leave the account yourself',
    openTo: [],
    params: walletParams.extend({ user: z.string() }),
    ok: successEnvelope,
    errors: [401, 403, 404],
  },
  'DELETE /api/v4/wallets/{id}/invitations/{invitation}': {
    ...ofAccount,
    summary: 'Withdraw an invitation to become an additional owner; its link stops working',
    openTo: [],
    params: walletParams.extend({ invitation: z.string() }),
    ok: successEnvelope,
    errors: [401, 403, 404],
  },
  'GET /api/v4/account-offers/{code}': {
    ...ofAccount,
    summary: 'Get the offer behind an e-mailed link; returns 404 if it is for someone else',
    openTo: [],
    params: offerParams,
    ok: accountOffer,
    errors: [401, 403, 404],
  },
  'POST /api/v4/account-offers/{code}/accept': {
    ...ofAccount,
    summary: 'Accept an offer; its link works once',
    openTo: [],
    stepUp: true,
    params: offerParams,
    body: z.object({}),
    ok: successEnvelope.extend({ kind: z.enum(offerKinds) }),
    errors: [401, 403, 404, 422],
  },
  'POST /api/v4/wallets/{id}/owner': {
    ...ofAccount,
    summary:
      'Transfer an account to another of its users, once the owner and that user have confirmed by e-mail',
    openTo: [],
    stepUp: true,
    params: walletParams,
    body: z.object({ email }),
    ok: successEnvelope,
    errors: [401, 403, 404, 422, 429],
  },
  'DELETE /api/v4/wallets/{id}/owner': {
    ...ofAccount,
    summary: 'Cancel a pending transfer; its links stop working',
    openTo: [],
    params: walletParams,
    ok: successEnvelope,
    errors: [401, 403, 404],
  },

  'POST /api/v4/wallets/{id}/owner @staff': {
    ...ofStaff,
    summary: 'Transfer an account to another of its users immediately',
    openTo: [],
    stepUp: true,
    params: walletParams,
    body: z.object({ email, reason }),
    ok: successEnvelope,
    errors: [401, 403, 404, 422],
  },
  'GET /api/v4/wallets/{id}/controllers @staff': {
    ...ofStaff,
    summary: 'List the owner, additional owners and open invitations of an account',
    openTo: [],
    params: walletParams,
    ok: controllers,
    errors: [401, 403, 404],
  },
  'POST /api/v4/wallets/{id}/controllers @staff': {
    ...ofStaff,
    summary: 'Invite a user of the account to become an additional owner; the user accepts by e-mail',
    openTo: [],
    stepUp: true,
    params: walletParams,
    body: z.object({ email, reason }),
    ok: successEnvelope.extend({ id: z.uuid() }),
    errors: [401, 403, 404, 422, 429],
  },
  'POST /api/v4/wallets/{id}/controllers/remove': {
    ...ofStaff,
    summary: 'Remove an additional owner, or withdraw the invitation, by address',
    openTo: [],
    stepUp: true,
    params: walletParams,
    body: z.object({ email, reason }),
    ok: successEnvelope,
    errors: [401, 403, 404, 422],
  },
})
