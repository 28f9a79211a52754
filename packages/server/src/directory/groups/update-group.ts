import { type groupRoutes, maxMembers } from '@gatehouse/contract/directory/groups'
import type { Actor } from '../../platform/audit.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import type { LateContext } from '../../platform/http/call.ts'
import { message, ValidationError } from '../../platform/http/errors.ts'
import { type Checked, together } from '../../platform/http/validation.ts'
import { revisionOf } from '../../platform/revision.ts'
import { actorOf } from '../../users/actor.ts'
import { canUpdate } from '../../users/policy.ts'
import type { ObjectParts } from '../directory-parts.ts'
import { changeObject, changeObjectIn } from '../objects/change-object.ts'
import type { DirectoryObject } from '../objects/object.ts'
import { requireObject, requireUsable } from '../objects/object-access.ts'
import { checkNewName } from '../objects/object-name.ts'
import { writeObject } from '../objects/object-store.ts'
import { checkMembers, nestingErrors, type Places, requireInsiders } from './check-members.ts'
import { changeMembers, readMembers } from './member-store.ts'

type Context = LateContext<(typeof groupRoutes)['PUT /api/v4/groups/{id}']>

/** Maximum number of added, and of removed, addresses named in one audit log entry. */
const mostNamed = 100

/**
 * Changes a distribution list that the caller may update; reference api-objects §9. Absent keys are unchanged;
 * `members` is the complete new list. Returns the new revision. Throws Conflict if the change is based on a
 * stale revision.
 */
export async function updateGroup(parts: ObjectParts, context: Context): Promise<string> {
  const { db } = parts
  const { principal, params } = context
  const object = await requireObject(parts, principal, { kind: 'group', id: params.id }, canUpdate)
  await requireUsable(parts, principal, 'group', context)
  const { tenantId, ownerId, walletId, email, id } = object
  const { body, found } = await context.read(async (fields) => {
    const wanted: Checked<Places | undefined> =
      fields.members == null
        ? { value: undefined }
        : await checkMembers(db, { tenantId, ownerId }, email, fields.members)
    return together({}, { name: await checkNewName(db, object, fields.name), members: wanted })
  })
  const { name, members } = found
  const held = members && (await readMembers(db, id))
  const added = [...(members?.keys() ?? [])].filter((address) => held?.includes(address) === false)
  await requireInsiders(db, principal, { tenantId, ownerId, walletId }, added)
  const after = await changeObject(parts, {
    object,
    actor: actorOf(principal, context),
    event: 'group.updated',
    revision: body.revision,
    revisionOf: groupRevision,
    snapshot: async (_, now) => ({ name: now.name, members: now.members }),
    apply: async (trx, now) => {
      const wanted = name ?? now.name
      const changed = members && (await replaceMembers(trx, object, members))
      if (changed !== undefined || wanted !== now.name) {
        await writeObject(trx, parts.clock, id, { name: wanted })
      }
      return changed
    },
  })
  return groupRevision(db, after)
}

/** Returns the revision of the state that a list's form shows. */
export async function groupRevision(db: Db, object: DirectoryObject): Promise<string> {
  return revisionOf([object.name, await readMembers(db, object.id)])
}

/** Adds or removes a single member of a list. Throws ValidationError at `members`. */
export function changeOneMember(
  trx: Db,
  clock: Clock,
  group: DirectoryObject,
  change: { readonly address: string; readonly isMember: boolean },
  actor: Actor,
): Promise<DirectoryObject> {
  const { address, isMember } = change
  return changeObjectIn(
    trx,
    { clock },
    {
      object: group,
      actor,
      event: 'group.updated',
      snapshot: async (_, now) => ({ name: now.name, members: now.members }),
      apply: async (inner, now) => {
        const held = await readMembers(inner, group.id)
        if (held.includes(address) === isMember) return undefined
        if (isMember && held.length >= maxMembers) {
          throw new ValidationError({ members: message('directory.too-many-members', { max: maxMembers }) })
        }
        const places = isMember ? new Map([[address, 0]]) : new Map<string, number>()
        const loops = await nestingErrors(inner, now.email, places)
        if (loops.size > 0) throw new ValidationError({ members: loops })
        const [added, removed] = isMember ? [[address], []] : [[], [address]]
        await changeMembers(inner, group.id, { removed, added })
        return { added, removed }
      },
    },
  )
}

/** Replaces the members; returns those added and removed, or undefined if nothing changed. */
async function replaceMembers(
  trx: Db,
  object: DirectoryObject,
  places: Places,
): Promise<Record<string, unknown> | undefined> {
  const held = new Set(await readMembers(trx, object.id))
  const added = [...places.keys()].filter((address) => !held.has(address))
  const removed = [...held].filter((address) => !places.has(address))
  const come = new Map(added.map((address) => [address, places.get(address) ?? 0]))
  const loops = await nestingErrors(trx, object.email, come)
  if (loops.size > 0) throw new ValidationError({ members: loops })
  await changeMembers(trx, object.id, { removed, added })
  if (added.length === 0 && removed.length === 0) return undefined
  return { added: added.slice(0, mostNamed), removed: removed.slice(0, mostNamed) }
}
