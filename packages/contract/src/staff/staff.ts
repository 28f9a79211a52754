import { z } from 'zod'
import { oneOffRequest } from '../billing/one-offs.ts'
import { objectIdParams } from '../directory/users.ts'
import { emailAddress } from '../email-address.ts'
import { successEnvelope, successStatus, wireDate } from '../envelope.ts'
import { pagedList, pageQuery } from '../list.ts'
import { mailSettingsInput } from '../policies.ts'
import { defineRoutes, type Variant } from '../route.ts'
import { searchAnswer, searchQuery } from '../search.ts'
import {
  discountItem,
  logEntry,
  loggedTypes,
  staffDomainDetail,
  staffDomainItem,
  staffFolderDetail,
  staffFolderItem,
  staffGroupDetail,
  staffGroupItem,
  staffResourceDetail,
  staffResourceItem,
  staffUserDetail,
  staffUserItem,
  staffWallet,
  suspensionReasons,
} from './staff-views.ts'

/**
 * Staff actions on customer accounts, on the hosts of the admin and reseller cockpits; reference
 * api-billing-admin §18. A key that ends with `@staff` is the call on those hosts, if the user host has a
 * different call on the same path.
 */

export const staffHosts = ['admin', 'reseller'] as const satisfies readonly Variant[]

/** Rows of a search, or of an owner's list. */
const staffListQuery = pageQuery.extend({
  /** Without this or `owner` the result is empty. */
  search: z.string().max(191).nullish(),
  /** User ID: returns what is billed to the user's wallets. */
  owner: z.string().max(10).nullish(),
})

function staffList<T extends z.ZodType>(item: T) {
  return pagedList(item).extend({ page: z.number().int(), message: z.string() })
}

/** Reason for the action; visible in the activity that the account's owner sees. */
const comment = z.string().max(1024).nullish()
const reasoned = z.object({ comment })
const reasonGiven = z.object({ reason: z.string().min(3).max(1024) })
/** `confirm`: address or name of the object, required for a whole account and for erasing. */
const deletion = reasonGiven.extend({ confirm: z.string().max(256).nullish() })
const suspension = z.object({ comment, reason: z.enum(suspensionReasons).nullish() })

/** No control characters or lone surrogates, because it is stored unchanged in the ledger. */
const wholeText = /^[^\p{Cc}\p{Cs}]*$/u

/** Signed amount in major units: a number, or digits with a point or comma. */
const signedAmount = z.union([z.number(), z.string().max(32)])

const readErrors = [401, 403, 404] as const
const writeErrors = [401, 403, 404, 422] as const
const staff = { auth: 'token', hosts: staffHosts, tag: 'Staff' } as const

/** An action on a user that returns only a message. */
const act = <B extends z.ZodObject>(summary: string, body: B) =>
  ({
    ...staff,
    openTo: [],
    summary,
    params: objectIdParams,
    body,
    ok: successEnvelope,
    errors: writeErrors,
  }) as const

/** The same for actions that decide who can sign in or send. */
const freshAct = <B extends z.ZodObject>(summary: string, body: B) =>
  ({ ...act(summary, body), stepUp: true }) as const

/** Deletes or erases an object; 409 if objects that depend on it still exist. */
const ending = (summary: string) =>
  ({ ...freshAct(summary, deletion), errors: [401, 403, 404, 409, 422] }) as const

export const staffRoutes = defineRoutes({
  'GET /api/v4/users @staff': {
    ...staff,
    openTo: [],
    summary:
      'Search users by part of an address, alias, name, organisation, domain or object, or by exact external address, number, wallet, payment or phone; includes deleted users',
    query: staffListQuery,
    ok: staffList(staffUserItem),
    errors: writeErrors,
  },
  'GET /api/v4/search @staff': {
    ...staff,
    openTo: [],
    summary:
      'Search users, domains, lists, resources and folders by name, organisation or address, grouped by kind; includes deleted objects',
    query: searchQuery,
    ok: searchAnswer,
    errors: writeErrors,
  },
  'GET /api/v4/users/{id} @staff': {
    ...staff,
    openTo: [],
    summary: 'Get a user, deleted or not, with the actions available to staff',
    params: objectIdParams,
    ok: staffUserDetail,
    errors: readErrors,
  },
  'PUT /api/v4/users/{id} @staff': {
    ...staff,
    openTo: [],
    stepUp: true,
    summary: 'Change the external address of a user; null removes it',
    params: objectIdParams,
    body: z.object({ external_email: emailAddress.nullish(), comment }),
    ok: successEnvelope,
    errors: writeErrors,
  },
  'POST /api/v4/users/{id}/suspend': freshAct('Suspend a single user', suspension),
  'POST /api/v4/users/{id}/unsuspend': freshAct('Unsuspend a user', reasoned),
  'POST /api/v4/users/{id}/reset-2fa': freshAct('Remove the second factors of a user', reasoned),
  'POST /api/v4/users/{id}/reset-geolock': freshAct('Remove the country restriction of a user', reasoned),
  'POST /api/v4/users/{id}/mail-settings': act(
    'Change the mail settings of a user; for the owner, also the mail policies of the account',
    mailSettingsInput.extend({ comment }),
  ),
  'POST /api/v4/users/{id}/password-link': freshAct(
    'E-mail a password reset link to the external address of a user',
    reasonGiven,
  ),
  'POST /api/v4/users/{id}/sign-out @staff': act('End all sessions of a user', reasoned),
  'POST /api/v4/users/{id}/resync': act('Synchronize a user with the back ends again', reasoned),
  'POST /api/v4/users/{id}/restore @staff': act(
    'Restore a deleted user; restoring the owner restores everything deleted with them',
    reasoned,
  ),
  'POST /api/v4/users/{id}/delete': ending('Delete a user; deleting the owner deletes the whole account'),
  'POST /api/v4/users/{id}/erase': ending(
    'Erase the personal data of a deleted user; for the owner, also of all users and objects of the account',
  ),
  'GET /api/v4/users/{id}/discounts': {
    ...staff,
    openTo: [],
    summary: "List active discounts of the user's tenant, smallest first",
    params: objectIdParams,
    ok: successStatus.extend({ list: z.array(discountItem), count: z.number().int() }),
    errors: readErrors,
  },
  'POST /api/v4/users/{id}/skus/{sku}': {
    ...staff,
    openTo: [],
    summary: 'Add the `beta` subscription to a user',
    params: z.object({ id: z.string(), sku: z.string() }),
    body: reasoned,
    ok: successEnvelope.extend({
      sku: z.object({ id: z.uuid(), name: z.string(), cost: z.number().int() }),
    }),
    errors: writeErrors,
  },
  'POST /api/v4/users/{id}/login-as @staff': {
    ...staff,
    openTo: [],
    stepUp: true,
    summary: 'Start a 30-minute session as a user; open `redirectUrl` to join it',
    params: objectIdParams,
    body: reasonGiven,
    ok: successEnvelope.extend({
      /** URL on the user host, with a code in its fragment that can be used once, within a minute. */
      redirectUrl: z.string(),
      /** End of the session. */
      until: wireDate,
    }),
    errors: writeErrors,
  },

  'GET /api/v4/domains @staff': {
    ...staff,
    openTo: [],
    summary: 'List domains by name or owner',
    query: staffListQuery,
    ok: staffList(staffDomainItem),
    errors: writeErrors,
  },
  'GET /api/v4/domains/{id} @staff': {
    ...staff,
    openTo: [],
    summary: 'Get a domain, deleted or not, with the actions available to staff',
    params: objectIdParams,
    ok: staffDomainDetail,
    errors: readErrors,
  },
  'POST /api/v4/domains/{id}/suspend': freshAct('Suspend a domain', suspension),
  'POST /api/v4/domains/{id}/unsuspend': freshAct('Unsuspend a domain', reasoned),
  'POST /api/v4/domains/{id}/restore @staff': act('Restore a deleted domain', reasoned),
  'POST /api/v4/domains/{id}/delete': ending('Delete a domain'),
  'POST /api/v4/domains/{id}/erase': ending('Erase a deleted domain'),
  'GET /api/v4/groups @staff': {
    ...staff,
    openTo: [],
    summary: 'List distribution lists by address or owner',
    query: staffListQuery,
    ok: staffList(staffGroupItem),
    errors: writeErrors,
  },
  'GET /api/v4/groups/{id} @staff': {
    ...staff,
    openTo: [],
    summary: 'Get a distribution list, deleted or not, with the actions available to staff',
    params: objectIdParams,
    ok: staffGroupDetail,
    errors: readErrors,
  },
  'POST /api/v4/groups/{id}/suspend': freshAct('Suspend a distribution list', suspension),
  'POST /api/v4/groups/{id}/unsuspend': freshAct('Unsuspend a distribution list', reasoned),
  'POST /api/v4/groups/{id}/restore @staff': act('Restore a deleted distribution list', reasoned),
  'POST /api/v4/groups/{id}/delete': ending('Delete a distribution list'),
  'POST /api/v4/groups/{id}/erase': ending('Erase a deleted distribution list'),
  'GET /api/v4/resources @staff': {
    ...staff,
    openTo: [],
    summary: 'List resources by address or owner',
    query: staffListQuery,
    ok: staffList(staffResourceItem),
    errors: writeErrors,
  },
  'GET /api/v4/resources/{id} @staff': {
    ...staff,
    openTo: [],
    summary: 'Get a resource, deleted or not, with the actions available to staff',
    params: objectIdParams,
    ok: staffResourceDetail,
    errors: readErrors,
  },
  'POST /api/v4/resources/{id}/restore @staff': act('Restore a deleted resource', reasoned),
  'POST /api/v4/resources/{id}/delete': ending('Delete a resource'),
  'POST /api/v4/resources/{id}/erase': ending('Erase a deleted resource'),
  'GET /api/v4/shared-folders @staff': {
    ...staff,
    openTo: [],
    summary: 'List shared folders by address or owner',
    query: staffListQuery,
    ok: staffList(staffFolderItem),
    errors: writeErrors,
  },
  'GET /api/v4/shared-folders/{id} @staff': {
    ...staff,
    openTo: [],
    summary: 'Get a shared folder, deleted or not, with the actions available to staff',
    params: objectIdParams,
    ok: staffFolderDetail,
    errors: readErrors,
  },
  'POST /api/v4/shared-folders/{id}/restore @staff': act('Restore a deleted shared folder', reasoned),
  'POST /api/v4/shared-folders/{id}/delete': ending('Delete a shared folder'),
  'POST /api/v4/shared-folders/{id}/erase': ending('Erase a deleted shared folder'),

  'GET /api/v4/wallets/{id} @staff': {
    ...staff,
    openTo: [],
    summary: "Get a wallet with auto-payment and the payment provider's customer",
    params: z.object({ id: z.string() }),
    ok: staffWallet,
    errors: readErrors,
  },
  'PUT /api/v4/wallets/{id}': {
    ...staff,
    openTo: [],
    stepUp: true,
    summary: 'Assign a discount of the tenant to a wallet; null removes it',
    params: z.object({ id: z.string() }),
    body: z.object({ discount: z.string().max(64).nullish(), comment }),
    ok: staffWallet.extend(successEnvelope.shape),
    errors: writeErrors,
  },
  'POST /api/v4/wallets/{id}/one-off': {
    ...staff,
    openTo: [],
    stepUp: true,
    summary: 'Add a bonus or penalty to a wallet; a penalty is a negative amount',
    params: z.object({ id: z.string() }),
    body: z.object({ amount: signedAmount, description: z.string().min(1).max(1024).regex(wholeText) }),
    ok: successEnvelope.extend({
      /** Cents; unchanged while approval by a second staff member is pending. */
      balance: z.number().int(),
      /** The request that waits for approval, if the amount is above the limit. */
      request: oneOffRequest.nullable(),
    }),
    errors: writeErrors,
  },
  'POST /api/v4/wallets/{id}/one-off/preview': {
    ...staff,
    openTo: [],
    summary:
      'Preview the balance after a bonus or penalty, and whether it needs approval by a second member of staff',
    params: z.object({ id: z.string() }),
    body: z.object({ amount: signedAmount }),
    ok: z.object({
      currency: z.string(),
      /** Cents. */
      balance: z.object({ now: z.number().int(), next: z.number().int() }),
      needsApproval: z.boolean(),
    }),
    errors: writeErrors,
  },
  'GET /api/v4/eventlog/{type}/{id}': {
    ...staff,
    openTo: [],
    summary: 'List activity of an object, newest first',
    params: z.object({ type: z.enum(loggedTypes), id: z.string() }),
    query: pageQuery,
    ok: pagedList(logEntry),
    errors: writeErrors,
  },
})
