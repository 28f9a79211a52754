import { z } from 'zod'
import { emailAddress } from '../email-address.ts'
import { successEnvelope, successStatus, wireDate } from '../envelope.ts'
import { defineRoutes } from '../route.ts'
import { directoryKinds } from './kinds.ts'
import { objectId } from './users.ts'

/** The deleted object of the account that an address still belongs to. */
export const deletedHolder = z.object({
  type: z.enum(['user', ...directoryKinds]),
  id: objectId,
  name: z.string(),
  deleted_at: wireDate,
  /**
   * True if it is the object's primary address, without which the object can't be restored; false for an alias.
   */
  isPrimary: z.boolean(),
})

export type DeletedHolder = z.infer<typeof deletedHolder>

export const deletedAddressRoutes = defineRoutes({
  'GET /api/v4/addresses/deleted': {
    summary: "Get the deleted object of the caller's account that holds an address, if any",
    tag: 'Users',
    auth: 'token',
    openTo: [],
    hosts: ['user'],
    query: z.object({ address: emailAddress }),
    ok: successStatus.extend({ holder: deletedHolder.nullable() }),
    errors: [401, 403, 404, 422],
  },
  'POST /api/v4/addresses/release': {
    summary: 'Release an address held by a deleted object; erases the object if it is its primary address',
    tag: 'Users',
    auth: 'token',
    openTo: [],
    hosts: ['user'],
    body: z.object({ address: emailAddress }),
    ok: successEnvelope,
    errors: [401, 403, 404, 422],
  },
})
