import { z } from 'zod'
import { successEnvelope, wireDate } from '../envelope.ts'
import { borrowedCallers, defineRoutes } from '../route.ts'
import { objectId } from './users.ts'

/** People who control an account besides its owner, and the offers by mail that make somebody one or the new owner. */

/** People and open invitations that an account has at most. */
export const maxControllers = 20

/** Days that an offer is valid. */
export const offerDays = 7

export const controller = z.object({
  id: objectId,
  email: z.string(),
  /** First and last name, else the address. */
  name: z.string(),
  /** Owns the account; each account has exactly one owner. */
  isOwner: z.boolean(),
  /** The account pays for this person; others have an account of their own. */
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
  /** The owner first, then by address. */
  list: z.array(controller),
  /** Those that are open, by address. */
  invitations: z.array(controllerInvitation),
  count: z.number().int(),
  hasMore: z.literal(false),
  /** A change of the owner that is under way; null: none. */
  handOver: z
    .object({
      /** The new owner. */
      email: z.string(),
      /** The owner has confirmed, and the new owner has yet to accept. */
      isConfirmed: z.boolean(),
      expires_at: wireDate,
    })
    .nullable(),
  /** The reader may invite, remove and withdraw. Nobody removes the owner. */
  canChange: z.boolean(),
  /** The reader may hand the account to another owner. */
  canHandOver: z.boolean(),
})

export type Controllers = z.infer<typeof controllers>

/** `controller`: become an additional owner. `give`: confirm that another owns the account. `take`: own the account. */
export const offerKinds = ['controller', 'give', 'take'] as const

export const accountOffer = z.object({
  kind: z.enum(offerKinds),
  /** Address of the account's owner. */
  account: z.string(),
  /** Who made the offer; null: support staff. */
  from: z.string().nullable(),
  /** The new owner of a hand-over. */
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
