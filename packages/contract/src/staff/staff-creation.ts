import { z } from 'zod'
import { pricePreview, sku, subscriptionPackage } from '../billing/subscriptions.ts'
import { newDomainInput } from '../directory/domains.ts'
import { newFolderInput } from '../directory/folders.ts'
import { membersLimit, newGroupInput } from '../directory/groups.ts'
import { type MailPath, mailPaths } from '../directory/kinds.ts'
import { newResourceInput } from '../directory/resources.ts'
import { newUserInput, newUserProfile, objectId } from '../directory/users.ts'
import { successEnvelope } from '../envelope.ts'
import { defineRoutes } from '../route.ts'
import { staffHosts } from './staff.ts'

/** What staff create for customers, in the account of an owner; by admins also technical users of the service. */

/** Kinds of objects that staff create, as their calls name them. */
export const createdKinds = mailPaths

export type CreatedKind = MailPath

/** Why nothing can be created in an account: it has to be paid first, or keeps staff out. */
export const creationObstacles = ['degraded', 'locked', 'refused'] as const

export type CreationObstacle = (typeof creationObstacles)[number]

/** What the forms of new objects of an account need to know. */
export const creationOffer = z.object({
  owner: z.object({ id: objectId, email: z.string() }),
  /** Null: there is none. */
  obstacle: z.enum(creationObstacles).nullable(),
  /** Kinds that the account has, in the order of `createdKinds`; the same as its owner may create. */
  kinds: z.array(z.enum(createdKinds)),
  packages: z.array(subscriptionPackage),
  /** What is on sale, each with the price of one more object. */
  skus: z.array(sku),
  /** Names of the account's domains in which addresses can be made, by name. */
  domains: z.array(z.string()),
  /** Some domains of the account wait for their confirmation. */
  isDomainWaiting: z.boolean(),
  currency: z.string(),
  /** Percent. */
  discount: z.number().int().nullable(),
  discount_description: z.string().nullable(),
})

export type CreationOffer = z.infer<typeof creationOffer>

const reason = z.string().min(3).max(1024)
const accountParams = z.object({ id: z.string() })
const created = successEnvelope.extend({ id: objectId })

const { email, package: packageId, aliases } = newUserInput.shape

/** Staff choose no password: the owner of the account gets a link for the first one. */
export const customerUserInput = z.object({
  email,
  package: packageId,
  aliases,
  ...newUserProfile,
  reason,
})

const ofAccount = {
  auth: 'token',
  openTo: [],
  hosts: staffHosts,
  tag: 'Staff',
  params: accountParams,
} as const

const creation = <B extends z.ZodObject>(summary: string, body: B) =>
  ({
    ...ofAccount,
    stepUp: true,
    summary,
    body,
    ok: created,
    errors: [401, 403, 404, 422],
  }) as const

export const staffCreationRoutes = defineRoutes({
  'GET /api/v4/accounts/{id}/creation': {
    ...ofAccount,
    summary: "List what can be created in an owner's account, with prices",
    ok: creationOffer,
    errors: [401, 403, 404],
  },
  'POST /api/v4/accounts/{id}/{kind}/preview': {
    ...ofAccount,
    summary: 'Preview the price of a new object in an account',
    params: accountParams.extend({ kind: z.enum(createdKinds) }),
    body: z.object({
      /** Of a new user or domain. */
      package: z.string().max(64).nullish(),
    }),
    ok: pricePreview,
    errors: [401, 403, 404, 422],
  },
  'POST /api/v4/accounts/{id}/users': creation(
    'Create a user in the account of an owner and e-mail the owner the link for the first password',
    customerUserInput,
  ),
  'POST /api/v4/accounts/{id}/domains': creation(
    'Add a domain to the account of an owner, who must confirm it',
    newDomainInput.extend({ reason }),
  ),
  'POST /api/v4/accounts/{id}/groups': {
    ...creation(
      'Create a distribution list in the account of an owner, with recipients of that account',
      newGroupInput.extend({ reason }),
    ),
    bodyLimit: membersLimit,
  },
  'POST /api/v4/accounts/{id}/resources': creation(
    'Create a resource in the account of an owner',
    newResourceInput.extend({ reason }),
  ),
  'POST /api/v4/accounts/{id}/shared-folders': creation(
    'Create a shared folder in the account of an owner',
    newFolderInput.extend({ reason }),
  ),
  'POST /api/v4/service-users': {
    auth: 'token',
    openTo: [],
    stepUp: true,
    hosts: ['admin'],
    tag: 'Staff',
    summary: 'Create a service user, who can sign in to mail services only',
    body: z.object({ email, reason }),
    ok: created.extend({
      email: z.string(),
      /** Made by the server and shown this once. */
      password: z.string(),
    }),
    errors: [401, 403, 404, 422],
  },
})
