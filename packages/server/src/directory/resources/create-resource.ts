import type { newResourceInput, resourceRoutes } from '@gatehouse/contract/directory/resources'
import type { z } from 'zod'
import type { Actor } from '../../platform/audit.ts'
import type { Db } from '../../platform/db/database.ts'
import type { LateContext } from '../../platform/http/call.ts'
import { message } from '../../platform/http/errors.ts'
import type { Read } from '../../platform/http/validation.ts'
import type { AccountView } from '../../users/account-view/account-view.ts'
import { actorOf } from '../../users/actor.ts'
import type { ObjectParts } from '../directory-parts.ts'
import { type Creation, createObject } from '../objects/create-object.ts'
import { requireCreator } from '../objects/object-access.ts'
import { checkPlace, type Place } from '../objects/object-input.ts'

type Context = LateContext<(typeof resourceRoutes)['POST /api/v4/resources']>

/** Creates a resource in the caller's account; reference api-objects §10. Returns its id. */
export async function createResource(parts: ObjectParts, context: Context): Promise<number> {
  const account = await requireCreator(parts, context.principal, 'resource', context)
  const place = await checkResource(parts.db, account, context.read)
  return createObject(parts, resourceCreation(account, place, actorOf(context.principal, context)))
}

/** Validates all fields. Throws ValidationError. */
export async function checkResource(
  db: Db,
  account: AccountView,
  read: Read<z.output<typeof newResourceInput>>,
): Promise<Place> {
  const { found } = await read((fields, refused) => checkPlace(db, account, 'resource', fields, refused))
  return found
}

/** Returns the creation of a validated resource. */
export function resourceCreation(account: AccountView, { name, domain }: Place, actor: Actor): Creation {
  return {
    account,
    actor,
    object: { kind: 'resource', domain, name, email: (id) => `resource-${id}@${domain}` },
    domainField: 'name',
    // an address derived from the id can only be taken if someone chose it deliberately
    onTaken: () => ({ name: [message('validation.entryexists')] }),
    fill: async () => ({}),
  }
}
