import type { GroupDetail } from '@gatehouse/contract/directory/groups'
import type { DirectoryParts } from '../directory-parts.ts'
import { type DirectoryObject, groupFlags } from '../objects/object.ts'
import { type ObjectRequest, objectPage } from '../objects/object-detail.ts'
import { readMembers } from './member-store.ts'

/** Returns a list with everything its own page shows; reference api-objects §9. */
export async function groupPage(
  parts: DirectoryParts,
  group: DirectoryObject,
  request: ObjectRequest,
): Promise<GroupDetail> {
  const members = await readMembers(parts.db, group.id)
  return {
    ...(await objectPage(parts, group, request, [group.name, members])),
    email: group.email,
    name: group.name,
    members,
    ...groupFlags(group, parts.config.APP_LDAP),
    config: { sender_policy: [...group.senderPolicy], members_may_send: group.membersMaySend },
  }
}
