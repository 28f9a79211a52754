import type { ResourceDetail } from '@gatehouse/contract/directory/resources'
import type { DirectoryParts } from '../directory-parts.ts'
import { type DirectoryObject, mailboxFlags } from '../objects/object.ts'
import { type ObjectRequest, objectPage } from '../objects/object-detail.ts'
import { spellInvitationPolicy } from './invitation-policy.ts'

/** Returns a resource with everything its own page shows; reference api-objects §10. */
export async function resourcePage(
  parts: DirectoryParts,
  resource: DirectoryObject,
  request: ObjectRequest,
): Promise<ResourceDetail> {
  return {
    ...(await objectPage(parts, resource, request, [resource.name])),
    email: resource.email,
    name: resource.name,
    ...mailboxFlags(resource, parts.config.APP_LDAP),
    config: { invitation_policy: spellInvitationPolicy(resource) },
  }
}
