import { z } from 'zod'
import { successEnvelope } from '../envelope.ts'
import { defineRoutes } from '../route.ts'
import { batch, bulkPrice, rowMessage } from './bulk.ts'
import type { PersonField } from './person-headings.ts'
import { objectId } from './users.ts'

/** Several new users at once, as rows of a sheet. */

/** Maximum rows per sheet. */
export const maxPeople = 200

const cell = z.string().max(1024).nullish()

/** One row; each mistake is reported at its field. */
export const personInput = z.object({
  first_name: cell,
  last_name: cell,
  email: cell,
  /** ID, title or name of a package. */
  package: cell,
  /** Storage in GB; defaults to the package's. */
  quota: cell,
  /** Address that the link for the first password is mailed to. */
  external_email: cell,
} satisfies Record<PersonField, z.ZodType>)

export type PersonInput = z.input<typeof personInput>

export const peoplePreview = z.object({
  /** In row order. */
  rows: z.array(
    z.object({
      /** Cents per month after the discount; null until the row is valid. */
      monthly: z.number().int().nullable(),
      messages: z.array(rowMessage),
    }),
  ),
  /** Price of the account with all valid rows. */
  price: bulkPrice,
  /** Cents per month of all valid rows. */
  monthly: z.number().int(),
  /** Why the sheet as a whole can't be created, e.g. the wallet's ceiling. */
  problem: z.string().nullable(),
})

export type PeoplePreview = z.infer<typeof peoplePreview>

/** The link for the first password of a new user. */
export const firstLink = z.object({
  userId: objectId,
  email: z.string(),
  /** `<short>-<code>`; null if it was mailed, used or withdrawn. */
  code: z.string().nullable(),
  /** The private address that it is mailed to. */
  mailedTo: z.string().nullable(),
})

export type FirstLink = z.infer<typeof firstLink>

export const peopleRoutes = defineRoutes({
  'POST /api/v4/users/batch': {
    summary:
      "Create several users, or preview their price. An invalid row creates nothing; a row that fails later doesn't affect the others",
    tag: 'Users',
    auth: 'token',
    openTo: [],
    hosts: ['user'],
    body: z.object({
      people: z.array(personInput).min(1).max(maxPeople),
      /** If true, only previews the result. */
      dryRun: z.boolean().nullish(),
    }),
    ok: successEnvelope.extend({ preview: peoplePreview.optional(), batch: batch.optional() }),
    errors: [401, 403, 404, 422],
  },
  'GET /api/v4/batches/{id}/links': {
    summary: 'Get first-password links of the users created by a batch, for the user who started it',
    tag: 'Users',
    auth: 'token',
    openTo: [],
    hosts: ['user'],
    params: z.object({ id: z.string() }),
    ok: z.object({ list: z.array(firstLink) }),
    errors: [401, 403, 404],
  },
})
