import type { Resource } from '../schemas/attribute.ts'
import { groupUrn, listUrn } from '../schemas/group-schema.ts'
import { metaOf } from '../schemas/meta.ts'
import type { GroupRow } from './group-store.ts'

/** Presents a distribution list as a group. `base`: address of the service. */
export function presentGroup(row: GroupRow, base: string): Resource {
  const stated: Resource = {
    schemas: [groupUrn, listUrn],
    id: String(row.id),
    ...(row.externalId !== null && { externalId: row.externalId }),
    displayName: row.name,
    ...(row.members !== null &&
      row.members.length > 0 && {
        members: row.members.map(([id, type, display]) => ({
          value: String(id),
          $ref: `${base}/${type}s/${id}`,
          type,
          display,
        })),
      }),
    [listUrn]: { email: row.email },
  }
  return { ...stated, meta: metaOf('Group', row, `${base}/Groups/${row.id}`, stated) }
}
