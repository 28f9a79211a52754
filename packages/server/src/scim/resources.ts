import { NotFound } from '../platform/http/errors.ts'
import { parseObjectId } from '../platform/ids.ts'
import { changeScimGroup, createScimGroup, deleteScimGroup } from './groups/change-group.ts'
import { countGroups, groupColumns, readGroup, readGroups } from './groups/group-store.ts'
import { presentGroup } from './groups/present-group.ts'
import { type ListQuery, selectionOf } from './list-query.ts'
import { applyPatch } from './patch/apply-patch.ts'
import { readPatch } from './patch/read-patch.ts'
import type { Resource, ResourceSchema } from './schemas/attribute.ts'
import { groupSchema } from './schemas/group-schema.ts'
import { isProjected, project } from './schemas/project.ts'
import { readResource } from './schemas/read-resource.ts'
import { userSchema } from './schemas/user-schema.ts'
import type { ScimParts, ScimRequest } from './scim-parts.ts'
import { changeScimUser, deleteScimUser } from './users/change-user.ts'
import { createScimUser } from './users/create-user.ts'
import { presentUser } from './users/present-user.ts'
import { countUsers, readUser, readUsers, userColumns } from './users/user-store.ts'

export const listSchema = 'urn:ietf:params:scim:api:messages:2.0:ListResponse'

/** A page of resources and how many there are. */
export interface Page {
  readonly total: number
  readonly resources: readonly Resource[]
}

/** What can be done with a type of resource. */
export interface ResourceType {
  readonly schema: ResourceSchema
  readonly list: (parts: ScimParts, request: ScimRequest, query: ListQuery) => Promise<Page>
  readonly read: (parts: ScimParts, request: ScimRequest, id: string) => Promise<Resource>
  readonly create: (parts: ScimParts, request: ScimRequest, body: unknown) => Promise<Resource>
  readonly change: (
    parts: ScimParts,
    request: ScimRequest,
    change: { readonly id: string; readonly apply: (current: Resource) => Resource },
  ) => Promise<Resource>
  readonly remove: (parts: ScimParts, request: ScimRequest, id: string) => Promise<void>
}

const users: ResourceType = {
  schema: userSchema,
  async list({ db }, { walletId, base }, query) {
    const selection = selectionOf(userSchema, userColumns, query)
    const total = await countUsers(db, walletId, selection.condition)
    const rows = query.count === 0 ? [] : await readUsers(db, walletId, selection)
    return { total, resources: rows.map((row) => project(userSchema, presentUser(row, base), query)) }
  },
  async read({ db }, { walletId, base }, text) {
    const id = parseObjectId(text)
    const row = id === undefined ? undefined : await readUser(db, walletId, id)
    if (row === undefined) throw new NotFound()
    return presentUser(row, base)
  },
  create: createScimUser,
  change: changeScimUser,
  remove: deleteScimUser,
}

const groups: ResourceType = {
  schema: groupSchema,
  async list({ db }, { walletId, base }, query) {
    const selection = selectionOf(groupSchema, groupColumns, query)
    const total = await countGroups(db, walletId, selection.condition)
    const withMembers = ['members', 'meta'].some((name) => isProjected(groupSchema, query, name))
    const isLong = !isProjected(groupSchema, query, 'members')
    const rows =
      query.count === 0
        ? []
        : await readGroups(db, walletId, { ...selection, withMembers: withMembers && !isLong })
    return {
      total,
      resources: rows.map((row) =>
        project(groupSchema, withoutVersion(row.members === null, presentGroup(row, base)), query),
      ),
    }
  },
  async read({ db }, { walletId, base }, text) {
    const id = parseObjectId(text)
    const row = id === undefined ? undefined : await readGroup(db, walletId, id)
    if (row === undefined) throw new NotFound()
    return presentGroup(row, base)
  },
  create: createScimGroup,
  change: changeScimGroup,
  remove: deleteScimGroup,
}

/** The types of resources by path. */
export const resourceTypes = { Users: users, Groups: groups } as const

/** Returns the change that replaces a resource. What is omitted here stays as it is; other attributes are cleared. */
export function replacement(schema: ResourceSchema, body: unknown): (current: Resource) => Resource {
  const wanted = readResource(schema, body)
  return (current) => {
    const kept = ['externalId', 'active', 'emails'].filter(
      (name) => wanted[name] === undefined && name in current,
    )
    return { ...Object.fromEntries(kept.map((name) => [name, current[name]])), ...wanted }
  }
}

/** Returns the change by operations. */
export function modification(schema: ResourceSchema, body: unknown): (current: Resource) => Resource {
  const operations = readPatch(body)
  return (current) => applyPatch(schema, current, operations)
}

/** The version depends on the members, so lists without them have none. */
function withoutVersion(isPartial: boolean, resource: Resource): Resource {
  if (!isPartial) return resource
  const { version: _version, ...meta } = resource.meta as Resource // as made by `metaOf`
  return { ...resource, meta }
}
