import type { resourceRoutes } from '@gatehouse/contract/directory/resources'
import type { LateContext } from '../../platform/http/call.ts'
import { revisionOf } from '../../platform/revision.ts'
import { actorOf } from '../../users/actor.ts'
import { canUpdate } from '../../users/policy.ts'
import type { ObjectParts } from '../directory-parts.ts'
import { changeObject } from '../objects/change-object.ts'
import type { DirectoryObject } from '../objects/object.ts'
import { requireObject, requireUsable } from '../objects/object-access.ts'
import { checkNewName } from '../objects/object-name.ts'
import { writeObject } from '../objects/object-store.ts'

type Context = LateContext<(typeof resourceRoutes)['PUT /api/v4/resources/{id}']>

/**
 * Renames a resource that the caller may update; reference api-objects §10. Returns the new revision. Throws
 * Conflict if the change is based on a stale revision.
 */
export async function updateResource(parts: ObjectParts, context: Context): Promise<string> {
  const { principal, params } = context
  const object = await requireObject(parts, principal, { kind: 'resource', id: params.id }, canUpdate)
  await requireUsable(parts, principal, 'resource', context)
  const { body, found: name } = await context.read((fields) => checkNewName(parts.db, object, fields.name))
  const after = await changeObject(parts, {
    object,
    actor: actorOf(principal, context),
    event: 'resource.updated',
    revision: body.revision,
    revisionOf: async (_, now) => resourceRevision(now),
    snapshot: async (_, now) => ({ name: now.name }),
    apply: async (trx, now) => {
      if (name !== undefined && name !== now.name) await writeObject(trx, parts.clock, now.id, { name })
      return undefined
    },
  })
  return resourceRevision(after)
}

/** Returns the revision of the state that a resource's form shows. */
export function resourceRevision(resource: DirectoryObject): string {
  return revisionOf([resource.name])
}
