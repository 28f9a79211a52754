import type { FolderDetail } from '@gatehouse/contract/directory/folders'
import { mayChangeAccess } from '../../users/policy.ts'
import type { DirectoryParts } from '../directory-parts.ts'
import { type DirectoryObject, mailboxFlags } from '../objects/object.ts'
import { type ObjectRequest, objectPage } from '../objects/object-detail.ts'
import { spellAcl } from './acl.ts'
import { readAcl } from './acl-store.ts'
import { folderAliases } from './folder-aliases.ts'

/** Returns a folder with everything its own page shows; reference api-objects §11. */
export async function folderPage(
  parts: DirectoryParts,
  folder: DirectoryObject,
  request: ObjectRequest,
): Promise<FolderDetail> {
  const aliases = folderAliases(folder)
  const page = await objectPage(parts, folder, request, [folder.name, aliases])
  return {
    ...page,
    // its configuration is its access rights
    canConfigure: page.canConfigure && mayChangeAccess(request.principal),
    email: folder.email,
    name: folder.name,
    type: folder.folderType ?? 'mail',
    aliases,
    ...mailboxFlags(folder, parts.config.APP_LDAP),
    config: { acl: spellAcl(await readAcl(parts.db, folder.id)) },
  }
}
