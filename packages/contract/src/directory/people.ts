import { z } from 'zod'
import { successEnvelope } from '../envelope.ts'
import { defineRoutes } from '../route.ts'
import { batch, bulkPrice, rowMessage } from './bulk.ts'
import type { PersonField } from './person-headings.ts'
import { objectId } from './users.ts'

/** Several new users at once, as a sheet of rows. */

/** Rows of one sheet. */
export const maxPeople = 200

const cell = z.string().max(1024).nullish()

/** One row; each mistake in it is reported at its field. */
export const personInput = z.object({
  first_name: cell,
  last_name: cell,
  email: cell,
  /** Id, title or name of a package. */
  package: cell,
  /** GB of storage; absent: as the package has it. */
  quota: cell,
  /** Where the link for the first password is mailed. */
  external_email: cell,
} satisfies Record<PersonField, z.ZodType>)

export type PersonInput = z.input<typeof personInput>

export const peoplePreview = z.object({
  /** In the order of the rows. */
  rows: z.array(
    z.object({
      /** Cents a month after the discount; null: nothing can be said before the row is right. */
      monthly: z.number().int().nullable(),
      messages: z.array(rowMessage),
    }),
  ),
  /** What the account costs with all rows that are right. */
  price: bulkPrice,
  /** Cents a month of all rows that are right. */
  monthly: z.number().int(),
  /** Why the sheet as a whole can't be created, such as the ceiling of the wallet. */
  problem: z.string().nullable(),
})

export type PeoplePreview = z.infer<typeof peoplePreview>

/** The link for the first password of a new user. */
export const firstLink = z.object({
  userId: objectId,
  email: z.string(),
  /** `<short>-<code>`; null: it was mailed, used or withdrawn. */
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
      /** True: only say what would happen. */
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
