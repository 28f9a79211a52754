import { z } from 'zod'
import { mandate } from '../billing/payments.ts'
import { walletDetail } from '../billing/wallets.ts'
import { domainDetail, domainFlags } from '../directory/domains.ts'
import { folderDetail, folderTypes } from '../directory/folders.ts'
import { groupDetail, groupFlags } from '../directory/groups.ts'
import { mailKinds } from '../directory/kinds.ts'
import { mailboxFlags, resourceDetail } from '../directory/resources.ts'
import { objectId, userDetail, userFlags } from '../directory/users.ts'
import { wireDate } from '../envelope.ts'
import { occurrences } from '../events.ts'

/** Data about customers and their objects in the cockpits. */

/** Why something was suspended: `unpaid` ends with a payment, all others are lifted manually. */
export const suspensionReasons = ['abuse', 'unpaid', 'security', 'legal', 'request', 'other'] as const

export type SuspensionReason = (typeof suspensionReasons)[number]

/** Stored reasons: one chosen by staff, or that the account suspended its own user. */
export const storedReasons = [...suspensionReasons, 'account'] as const

export type StoredReason = (typeof storedReasons)[number]

/** What a search matched, most specific first. */
export const staffMatches = [
  'email',
  'id',
  'alias',
  'external_email',
  'object',
  'domain',
  'wallet',
  'payment',
  'customer',
  'phone',
  'name',
  'organization',
] as const

export type StaffMatch = (typeof staffMatches)[number]

const dates = { created_at: wireDate, updated_at: wireDate, deleted_at: wireDate.nullable() }

export const staffUserItem = userFlags.extend({
  id: objectId,
  email: z.string(),
  name: z.string().nullable(),
  status: z.number().int(),
  tenant_id: z.number().int().nullable(),
  /** Owner of the user's account; null if it no longer exists. */
  owner: z.object({ id: objectId, email: z.string() }).nullable(),
  /** What the search matched; null in an owner's list. */
  match: z.enum(staffMatches).nullable(),
  ...dates,
})

export type StaffUserItem = z.infer<typeof staffUserItem>

const objectItem = { id: objectId, ...dates }

export const staffDomainItem = domainFlags.extend({
  ...objectItem,
  namespace: z.string(),
  type: z.number().int(),
})

export const staffGroupItem = groupFlags.extend({ ...objectItem, email: z.string(), name: z.string() })
export const staffResourceItem = mailboxFlags.extend({ ...objectItem, email: z.string(), name: z.string() })
export const staffFolderItem = mailboxFlags.extend({
  ...objectItem,
  email: z.string(),
  name: z.string(),
  type: z.enum(folderTypes),
})

export type StaffDomainItem = z.infer<typeof staffDomainItem>
export type StaffGroupItem = z.infer<typeof staffGroupItem>
export type StaffResourceItem = z.infer<typeof staffResourceItem>
export type StaffFolderItem = z.infer<typeof staffFolderItem>

/** What the reader may do with a user as staff: a control is shown exactly if its call is allowed. */
export const staffRights = z.object({
  canSuspend: z.boolean(),
  canUnsuspend: z.boolean(),
  canResetSecondFactor: z.boolean(),
  canResetGeolock: z.boolean(),
  /** May end all sessions of the user. */
  canSignOut: z.boolean(),
  canResync: z.boolean(),
  canChangeMailSettings: z.boolean(),
  canRestore: z.boolean(),
  canChangeExternalEmail: z.boolean(),
  /** May have a password link mailed to the external address. */
  canSendPasswordLink: z.boolean(),
  /** May create objects in the user's account. */
  canCreate: z.boolean(),
  /** May change discounts, bonuses and penalties of the user's wallet. */
  canChangeMoney: z.boolean(),
  canLoginAs: z.boolean(),
  canDelete: z.boolean(),
  /** May erase the personal data of a deleted user immediately, before the retention period ends. */
  canErase: z.boolean(),
})

export type StaffRights = z.infer<typeof staffRights>

/** A failed step of syncing an object to the back ends that isn't resolved. */
export const provisioningFailure = z.object({
  /** `backend`, or the suffix of a set-up step's label. */
  step: z.string(),
  /** Error message of the back end, for staff only. */
  error: z.string(),
  /** Failed attempts since the last success or change. */
  attempts: z.number().int(),
  triedAt: wireDate.nullable(),
})

export type ProvisioningFailure = z.infer<typeof provisioningFailure>

/** A user in the cockpit, including deleted users until they are purged. */
export const staffUserDetail = userDetail.omit({ passwordLinkCode: true }).extend({
  role: z.enum(['admin', 'reseller', 'service']).nullable(),
  /** Owner of the user's account; the user themselves if they own it. */
  owner: z.object({ id: objectId, email: z.string() }).nullable(),
  tenant: z.object({ id: z.number().int().nullable(), title: z.string() }),
  /** A second factor is set up, or the user has a subscription for one. */
  hasSecondFactor: z.boolean(),
  /** Why the user is suspended; null if not suspended, or if unknown. */
  suspension_reason: z.enum(storedReasons).nullable(),
  /** Deadline for restoring a deleted user. */
  restorable_until: wireDate.nullable(),
  lastSignInAt: wireDate.nullable(),
  failures: z.array(provisioningFailure),
  /** The account allows staff to sign in as its users. */
  isStaffAccessAllowed: z.boolean(),
  /** Until when the external address, which was set by staff, gets no password links; null if it gets them. */
  passwordLinksHeldUntil: wireDate.nullable(),
  staffRights,
})

export type StaffUserDetail = z.infer<typeof staffUserDetail>

const reason = z.enum(suspensionReasons).nullable()

/** Additional data about a domain, list, resource or folder in the cockpit, including deleted ones. */
const staffObject = {
  /** Owner of the account that pays for it; null if there is none. */
  owner: z.object({ id: objectId, email: z.string() }).nullable(),
  tenant: z.object({ id: z.number().int().nullable(), title: z.string() }),
  /** Deadline for restoring a deleted object. */
  restorable_until: wireDate.nullable(),
  canRestore: z.boolean(),
  canDelete: z.boolean(),
  /** May erase a deleted object immediately, before the retention period ends. */
  canErase: z.boolean(),
  failures: z.array(provisioningFailure),
}

const suspendable = { suspension_reason: reason, canSuspend: z.boolean(), canUnsuspend: z.boolean() }

export const staffDomainDetail = domainDetail.extend({ ...staffObject, ...suspendable })
export const staffGroupDetail = groupDetail.extend({ ...staffObject, ...suspendable })
export const staffResourceDetail = resourceDetail.extend(staffObject)
export const staffFolderDetail = folderDetail.extend(staffObject)

export type StaffDomainDetail = z.infer<typeof staffDomainDetail>
export type StaffGroupDetail = z.infer<typeof staffGroupDetail>
export type StaffResourceDetail = z.infer<typeof staffResourceDetail>
export type StaffFolderDetail = z.infer<typeof staffFolderDetail>

/** Link to the customer at the payment provider. */
export const providerCustomer = z.object({ id: z.string(), url: z.string().nullable() })

/** A wallet in the cockpit. */
export const staffWallet = walletDetail.extend({
  /** Percent; 0 for none. */
  discount: z.number().int(),
  /** Empty for none. */
  discount_description: z.string(),
  mandate,
  /** The customer's ID at the provider; null if none. */
  providerLink: z.string().nullable(),
  customer: providerCustomer.nullable(),
  /** The reader may change discounts and book bonuses and penalties. */
  canChangeMoney: z.boolean(),
  /** Cents that the reader may book without approval by a second staff member; null if unlimited. */
  oneOffLimit: z.number().int().nullable(),
})

export type StaffWallet = z.infer<typeof staffWallet>

export const discountItem = z.object({
  id: z.uuid(),
  /** Percent. */
  discount: z.number().int(),
  code: z.string().nullable(),
  description: z.string(),
  /** `N% - description [CODE]`. */
  label: z.string(),
})

export type DiscountItem = z.infer<typeof discountItem>

/** Kinds of objects with a log. */
export const loggedTypes = [...mailKinds, 'tenant'] as const

export type LoggedType = (typeof loggedTypes)[number]

/** One entry of an object's log, for staff. */
export const logEntry = z.object({
  id: z.uuid(),
  /** `YYYY-MM-DD HH:MM:SS`, UTC. */
  createdAt: wireDate,
  ...occurrences,
  /** Localised description of the event. */
  event: z.string(),
  /** Event name as `object.verb`: `user.suspended`, `mail.sent`. */
  kind: z.string(),
  comment: z.string().nullable(),
  data: z.record(z.string(), z.unknown()).nullable(),
  /** The actor; null for the system itself. */
  user: z.string().nullable(),
  /** Own address of staff who impersonated the actor. */
  onBehalf: z.string().nullable(),
  /** Name of the API key that was used; `user` is null for a key of the account. */
  apiKey: z.string().nullable(),
  ip: z.string().nullable(),
})

export type LogEntry = z.infer<typeof logEntry>
