import { revisionOf } from '../../platform/revision.ts'
import type { Resource } from './attribute.ts'

/**
 * Returns the metadata of a resource. Its version changes with what the resource states, apart from the groups of
 * a user, which are changed at the group.
 */
export function metaOf(
  resourceType: 'User' | 'Group',
  { createdAt, updatedAt }: { readonly createdAt: Date; readonly updatedAt: Date },
  location: string,
  stated: Resource,
): Resource {
  return {
    resourceType,
    created: createdAt.toISOString(),
    lastModified: updatedAt.toISOString(),
    location,
    version: `W/"${revisionOf([stated])}"`,
  }
}

/** Returns the version of a presented resource. */
export function versionOf({ meta }: Resource): string {
  // as made by `metaOf`
  return (meta as { readonly version: string }).version
}

/** Returns whether a header such as If-Match names a version. Weak comparison: all versions are weak. */
export function namesVersion(header: string, version: string): boolean {
  const bare = (tag: string) => tag.trim().replace(/^W\//, '')
  return header.trim() === '*' || header.split(',').some((tag) => bare(tag) === bare(version))
}
