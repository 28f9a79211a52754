import type { resourceRoutes } from '@gatehouse/contract/directory/resources'
import type { Actor } from '../../platform/audit.ts'
import type { Db } from '../../platform/db/database.ts'
import type { LateContext } from '../../platform/http/call.ts'
import { message } from '../../platform/http/errors.ts'
import type { AccountView } from '../../users/account-view/account-view.ts'
import { actorOf } from '../../users/actor.ts'
import type { DirectoryParts } from '../directory-parts.ts'
import { type Creation, createObject } from '../objects/create-object.ts'
import { requireCreator } from '../objects/object-access.ts'
import { checkPlace } from '../objects/object-input.ts'
import type { Errors, RawInput } from '../users/user-input.ts'

type Context = LateContext<(typeof resourceRoutes)['POST /api/v4/resources']>

/** Creates a resource in the caller's account; reference api-objects §10. Returns its number. */
export async function createResource(parts: DirectoryParts, context: Context): Promise<number> {
  const account = await requireCreator(parts, context.principal, 'resource', context)
  const place = await checkResource(parts.db, account, context.input(), context.read)
  return createObject(parts, resourceCreation(account, place, actorOf(context.principal, context)))
}

/** Checks everything at once. `read` parses the input. Throws ValidationError. */
export async function checkResource(
  db: Db,
  account: AccountView,
  input: RawInput,
  read: (found: Errors) => unknown,
): Promise<{ readonly name: string; readonly domain: string }> {
  const { name, domain, errors } = await checkPlace(db, account, 'resource', input)
  read(errors)
  if (name === undefined || domain === undefined) throw new RangeError('both were checked')
  return { name, domain }
}

/** What creates a checked resource. */
export function resourceCreation(
  account: AccountView,
  { name, domain }: { readonly name: string; readonly domain: string },
  actor: Actor,
): Creation {
  return {
    account,
    actor,
    object: { kind: 'resource', domain, name, email: (id) => `resource-${id}@${domain}` },
    domainField: 'name',
    // an address made of the number belongs to somebody who chose it on purpose
    onTaken: () => ({ name: [message('validation.entryexists')] }),
    fill: async () => ({}),
  }
}
