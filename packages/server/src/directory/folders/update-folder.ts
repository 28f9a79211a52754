import type { folderRoutes } from '@gatehouse/contract/directory/folders'
import type { Actor } from '../../platform/audit.ts'
import type { Db } from '../../platform/db/database.ts'
import type { LateContext } from '../../platform/http/call.ts'
import { ValidationError } from '../../platform/http/errors.ts'
import { type Checked, together, valueIn } from '../../platform/http/validation.ts'
import { revisionOf } from '../../platform/revision.ts'
import { actorOf } from '../../users/actor.ts'
import { changeAliases } from '../../users/addresses/address-store.ts'
import { AddressTaken } from '../../users/create-user.ts'
import { canUpdate } from '../../users/policy.ts'
import { forgetAddresses } from '../departures.ts'
import type { ObjectParts } from '../directory-parts.ts'
import { changeObject } from '../objects/change-object.ts'
import { type DirectoryObject, departureOf } from '../objects/object.ts'
import { requireObject, requireUsable } from '../objects/object-access.ts'
import { checkNewName } from '../objects/object-name.ts'
import { writeObject } from '../objects/object-store.ts'
import type { SentAliases } from '../users/user-input.ts'
import { takenAlias } from './create-folder.ts'
import { type CheckedFolderAliases, checkFolderAliases, folderAliases } from './folder-aliases.ts'

type Context = LateContext<(typeof folderRoutes)['PUT /api/v4/shared-folders/{id}']>

/**
 * Changes name and aliases of a shared folder that the caller may update; reference api-objects §11. `aliases`
 * is the complete new list, for mail folders only. Returns the new revision. Throws Conflict if the change is
 * based on a stale revision.
 */
export async function updateFolder(parts: ObjectParts, context: Context): Promise<string> {
  const { principal, params } = context
  const object = await requireObject(parts, principal, { kind: 'shared-folder', id: params.id }, canUpdate)
  await requireUsable(parts, principal, 'shared-folder', context)
  const { body, found } = await context.read(async (fields) => {
    const newName = await checkNewName(parts.db, object, fields.name)
    const isForAliases = object.folderType === 'mail' && fields.aliases != null
    const wanted: Checked<CheckedFolderAliases | undefined> = isForAliases
      ? await checkWanted(parts.db, object, valueIn(newName), fields.aliases)
      : { value: undefined }
    return together({}, { name: newName, aliases: wanted })
  })
  const { name, aliases } = found
  const actor = actorOf(principal, context)
  const after = await changeObject(parts, {
    object,
    actor,
    event: 'shared-folder.updated',
    revision: body.revision,
    revisionOf: async (_, now) => folderRevision(now),
    snapshot: async (_, now) => ({ name: now.name, aliases: folderAliases(now) }),
    apply: async (trx, now) => {
      const change = {
        name: name ?? now.name,
        has_lmtp_alias: aliases === undefined ? now.hasLmtpAlias : aliases.hasLmtpAlias,
      }
      const isOther = aliases !== undefined && (await replaceAliases(trx, parts, now, aliases, actor))
      if (isOther || change.name !== now.name || change.has_lmtp_alias !== now.hasLmtpAlias) {
        await writeObject(trx, parts.clock, now.id, change)
      }
      return undefined
    },
  }).catch((error: unknown) => {
    if (!(error instanceof AddressTaken)) throw error
    throw new ValidationError(takenAlias(error.address, aliases?.places ?? new Map()))
  })
  return folderRevision(after)
}

/** Returns the revision of the state that a folder's form shows. */
export function folderRevision(folder: DirectoryObject): string {
  return revisionOf([folder.name, folderAliases(folder)])
}

function checkWanted(
  db: Db,
  { tenantId, ownerId, domain, name, aliases }: DirectoryObject,
  newName: string | undefined,
  sent: SentAliases,
): Promise<Checked<CheckedFolderAliases>> {
  // a client that sends the aliases back unchanged uses the previous name
  const names = newName === undefined ? [name] : [newName, name]
  return checkFolderAliases(db, { tenantId, ownerId }, sent, { names, domain, own: aliases })
}

/** Replaces the aliases; returns true if any changed. */
async function replaceAliases(
  trx: Db,
  { clock }: Pick<ObjectParts, 'clock'>,
  now: DirectoryObject,
  wanted: CheckedFolderAliases,
  actor: Actor,
): Promise<boolean> {
  const all = new Set([...wanted.kept, ...wanted.added])
  const removed = now.aliases.filter((alias) => !all.has(alias))
  const added = [...all].filter((alias) => !now.aliases.includes(alias))
  await forgetAddresses(trx, clock, { ...departureOf(now), addresses: removed }, actor)
  await changeAliases(trx, { ...now, kind: 'folder-alias' }, { removed, added })
  return removed.length > 0 || added.length > 0
}
