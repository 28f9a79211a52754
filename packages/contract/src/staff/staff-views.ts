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

/** What the cockpits show of customers and their objects. */

/** Why something was suspended: what `unpaid` suspends is given back by a payment, the rest by a person only. */
export const suspensionReasons = ['abuse', 'unpaid', 'security', 'legal', 'request', 'other'] as const

export type SuspensionReason = (typeof suspensionReasons)[number]

/** What is kept as a reason: one that staff name, or that the account suspended its user itself. */
export const storedReasons = [...suspensionReasons, 'account'] as const

export type StoredReason = (typeof storedReasons)[number]

/** What a search found an account by, the surest first. */
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
  /** Owner of the account that the user belongs to; null: there is none any more. */
  owner: z.object({ id: objectId, email: z.string() }).nullable(),
  /** What it was found by; null in a list of an owner. */
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

/** What the reader may do with a user as staff: a control is shown exactly when its call is allowed. */
export const staffRights = z.object({
  canSuspend: z.boolean(),
  canUnsuspend: z.boolean(),
  canResetSecondFactor: z.boolean(),
  canResetGeolock: z.boolean(),
  /** End all sessions of the user. */
  canSignOut: z.boolean(),
  canResync: z.boolean(),
  canRestore: z.boolean(),
  canChangeExternalEmail: z.boolean(),
  /** Have a link for a new password mailed to the external address. */
  canSendPasswordLink: z.boolean(),
  /** Create objects in the account that the user owns. */
  canCreate: z.boolean(),
  /** Discounts, bonuses and penalties of the wallet that the user owns. */
  canChangeMoney: z.boolean(),
  canLoginAs: z.boolean(),
  canDelete: z.boolean(),
  /** Remove what is personal of a deleted user at once, instead of after the time for restoring. */
  canErase: z.boolean(),
})

export type StaffRights = z.infer<typeof staffRights>

/** A step of telling the back ends of an object that failed and is not over. */
export const provisioningFailure = z.object({
  /** `backend`, or the end of the label of a set-up step. */
  step: z.string(),
  /** As the back end said it, for staff only. */
  error: z.string(),
  /** Tries that failed since the last success or change. */
  attempts: z.number().int(),
  triedAt: wireDate.nullable(),
})

export type ProvisioningFailure = z.infer<typeof provisioningFailure>

/** A user as the cockpit shows them, including deleted users until they are purged. */
export const staffUserDetail = userDetail.omit({ passwordLinkCode: true }).extend({
  role: z.enum(['admin', 'reseller', 'service']).nullable(),
  /** Owner of the account that the user belongs to, the user's own number where it is the user. */
  owner: z.object({ id: objectId, email: z.string() }).nullable(),
  tenant: z.object({ id: z.number().int().nullable(), title: z.string() }),
  /** A second factor is registered, or the user is subscribed to one. */
  hasSecondFactor: z.boolean(),
  /** Why the user is suspended; null: not suspended, or unknown. */
  suspension_reason: z.enum(storedReasons).nullable(),
  /** Until then a deleted user may be restored. */
  restorable_until: wireDate.nullable(),
  lastSignInAt: wireDate.nullable(),
  failures: z.array(provisioningFailure),
  /** The account lets staff sign in as its users. */
  isStaffAccessAllowed: z.boolean(),
  /** Until then the external address, which staff have set, gets no link for a new password; null: it does now. */
  passwordLinksHeldUntil: wireDate.nullable(),
  staffRights,
})

export type StaffUserDetail = z.infer<typeof staffUserDetail>

const reason = z.enum(suspensionReasons).nullable()

/** What the cockpit shows of a domain, list, resource or folder beside what its owner sees; deleted ones too. */
const staffObject = {
  /** Owner of the account that pays for it; null: nobody does. */
  owner: z.object({ id: objectId, email: z.string() }).nullable(),
  tenant: z.object({ id: z.number().int().nullable(), title: z.string() }),
  /** Until then a deleted object may be restored. */
  restorable_until: wireDate.nullable(),
  canRestore: z.boolean(),
  canDelete: z.boolean(),
  /** Remove a deleted object at once, instead of after the time for restoring. */
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

/** Where the provider of payments shows the customer. */
export const providerCustomer = z.object({ id: z.string(), url: z.string().nullable() })

/** A wallet as the cockpit shows it. */
export const staffWallet = walletDetail.extend({
  /** Percent; 0: none. */
  discount: z.number().int(),
  /** Empty: none. */
  discount_description: z.string(),
  mandate,
  /** The customer's id at the provider; null: none. */
  providerLink: z.string().nullable(),
  customer: providerCustomer.nullable(),
  /** The reader may change discounts and award or take money. */
  canChangeMoney: z.boolean(),
  /** Cents that the reader may award or take now without a second member of staff; null: any amount. */
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

/** Kinds of objects that have a log. */
export const loggedTypes = [...mailKinds, 'tenant'] as const

export type LoggedType = (typeof loggedTypes)[number]

/** One entry of an object's log as staff read it. */
export const logEntry = z.object({
  id: z.uuid(),
  /** `YYYY-MM-DD HH:MM:SS`, UTC. */
  createdAt: wireDate,
  ...occurrences,
  /** What happened, in words. */
  event: z.string(),
  /** The same as `object.verb`: `user.suspended`, `mail.sent`. */
  kind: z.string(),
  comment: z.string().nullable(),
  data: z.record(z.string(), z.unknown()).nullable(),
  /** Who did it; null: the system itself. */
  user: z.string().nullable(),
  /** Of staff who acted in somebody's name: their own address. */
  onBehalf: z.string().nullable(),
  ip: z.string().nullable(),
})

export type LogEntry = z.infer<typeof logEntry>
