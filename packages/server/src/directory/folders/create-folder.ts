import type { FolderType, folderRoutes, newFolderInput } from '@gatehouse/contract/directory/folders'
import { offeredFolderTypes } from '@gatehouse/contract/directory/folders'
import type { z } from 'zod'
import type { Actor } from '../../platform/audit.ts'
import type { LateContext } from '../../platform/http/call.ts'
import { type FieldMessages, message } from '../../platform/http/errors.ts'
import { type Checked, type Read, together, valueIn } from '../../platform/http/validation.ts'
import type { AccountView } from '../../users/account-view/account-view.ts'
import { accountOf } from '../../users/account-view/account-view.ts'
import { actorOf } from '../../users/actor.ts'
import type { ObjectParts } from '../directory-parts.ts'
import { type Creation, createObject } from '../objects/create-object.ts'
import { requireCreator } from '../objects/object-access.ts'
import { checkPlace } from '../objects/object-input.ts'
import { type CheckedFolderAliases, checkFolderAliases } from './folder-aliases.ts'

type Context = LateContext<(typeof folderRoutes)['POST /api/v4/shared-folders']>

/** A validated shared folder to be created. */
export interface CheckedFolder {
  readonly name: string
  readonly domain: string
  readonly folderType: FolderType
  readonly aliases: CheckedFolderAliases
}

/** Creates a shared folder in the caller's account; reference api-objects §11. Returns its id. */
export async function createFolder(parts: ObjectParts, context: Context): Promise<number> {
  const account = await requireCreator(parts, context.principal, 'shared-folder', context)
  const folder = await checkFolder(parts, account, context.read)
  return createObject(parts, folderCreation(account, folder, actorOf(context.principal, context)))
}

/** Validates all fields. Throws ValidationError. */
export async function checkFolder(
  { db, config }: Pick<ObjectParts, 'db' | 'config'>,
  account: AccountView,
  read: Read<z.output<typeof newFolderInput>>,
): Promise<CheckedFolder> {
  const { found } = await read(async (fields, refused) => {
    const place = await checkPlace(db, account, 'shared-folder', fields, refused)
    const folderType = checkType(fields.type, offeredFolderTypes(config.APP_WITH_GROUPWARE_FOLDERS))
    // other folder types receive no mail
    const wanted = valueIn(folderType) === 'mail' ? fields.aliases : []
    const { name, domain } = valueIn(place) ?? {}
    const names = name === undefined ? [] : [name]
    const aliases = await checkFolderAliases(db, accountOf(account), wanted, { names, domain, own: [] })
    return together({}, { place, folderType, aliases })
  })
  const { place, folderType, aliases } = found
  return { ...place, folderType, aliases }
}

/** Returns the creation of a validated folder. */
export function folderCreation(
  account: AccountView,
  { name, domain, folderType, aliases }: CheckedFolder,
  actor: Actor,
): Creation {
  const { hasLmtpAlias, added, places } = aliases
  return {
    account,
    actor,
    object: {
      kind: 'shared-folder',
      domain,
      name,
      email: (id) => `${folderType}-${id}@${domain}`,
      folderType,
      hasLmtpAlias,
    },
    aliases: added,
    domainField: 'name',
    onTaken: (address) => takenAlias(address, places),
    fill: async () => ({ type: folderType, aliases: added }),
  }
}

/** Returns the error for an alias, or the address derived from the id, that was claimed concurrently. */
export function takenAlias(
  address: string,
  places: ReadonlyMap<string, number>,
): Readonly<Record<string, FieldMessages>> {
  const index = places.get(address)
  const text = message('validation.entryexists')
  return index === undefined ? { name: [text] } : { aliases: new Map([[index, text]]) }
}

function checkType(sent: string | null | undefined, offered: readonly FolderType[]): Checked<FolderType> {
  if (sent == null) return { errors: { type: [message('validation.required')] } }
  const type = offered.find((one) => one === sent)
  return type === undefined ? { errors: { type: [message('validation.entryinvalid')] } } : { value: type }
}
