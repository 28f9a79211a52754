import { message } from '../platform/http/errors.ts'
import { ScimError } from './errors.ts'
import type { Resource } from './schemas/attribute.ts'
import { namesVersion, versionOf } from './schemas/meta.ts'

/** Throws ScimError (412) if a request is based on another version. Call it while the resource is locked. */
export function requireVersion(ifMatch: string | undefined, resource: Resource): void {
  if (ifMatch === undefined || namesVersion(ifMatch, versionOf(resource))) return
  throw new ScimError(412, undefined, message('scim.changed-meanwhile'))
}
