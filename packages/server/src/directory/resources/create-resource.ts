import type { resourceRoutes } from '@gatehouse/contract/resources'
import { actorOf } from '../../accounts/user-parts.ts'
import type { LateContext } from '../../platform/http/api.ts'
import { message } from '../../platform/http/errors.ts'
import { createObject } from '../create-object.ts'
import type { DirectoryParts } from '../directory-parts.ts'
import { requireCreator } from '../object-access.ts'
import { checkPlace } from '../object-input.ts'

type Context = LateContext<(typeof resourceRoutes)['POST /api/v4/resources']>

/** Creates a resource in the caller's account; reference api-objects §10. Returns its number. */
export async function createResource(parts: DirectoryParts, context: Context): Promise<number> {
  const account = await requireCreator(parts, context.principal, 'resource', context)
  const { name, domain, errors } = await checkPlace(parts.db, account, 'resource', context.input())
  context.read(errors)
  if (name === undefined || domain === undefined) throw new RangeError('both were checked')
  return createObject(parts, {
    account,
    actor: actorOf(context.principal, context),
    object: { kind: 'resource', domain, name, email: (id) => `resource-${id}@${domain}` },
    domainField: 'name',
    // an address made of the number belongs to somebody who chose it on purpose
    onTaken: () => ({ name: [message('validation.entryexists')] }),
    fill: async () => ({}),
  })
}
