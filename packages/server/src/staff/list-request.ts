import type { Db } from '../platform/db/database.ts'
import type { Principal, Role } from '../platform/http/callers/principal.ts'
import { parseObjectId } from '../platform/ids.ts'
import { readPerson } from './account-store.ts'
import type { Wanted } from './object-list-store.ts'
import { looksAfter } from './policy.ts'
import type { SearchScope } from './search/search-source-store.ts'
import type { Part } from './search/user-search-store.ts'

const pageSize = 20

interface Query {
  readonly search?: string | null | undefined
  readonly owner?: string | null | undefined
  readonly page?: number | null | undefined
  readonly size?: number | null | undefined
}

/** What a list in the cockpit should show; `wanted` undefined: nothing. */
export interface ListRequest {
  readonly wanted: Wanted | undefined
  readonly scope: SearchScope
  readonly part: Part
}

/**
 * Parses a list's query. An owner whom the reader doesn't manage yields nothing, like one who doesn't exist.
 */
export async function listRequest(db: Db, principal: Principal, query: Query): Promise<ListRequest> {
  const part = { page: query.page ?? 1, size: query.size ?? pageSize }
  const scope = scopeOf(principal)
  if (query.owner != null) {
    const ownerId = await ownerFor(db, principal, query.owner)
    return { wanted: ownerId === undefined ? undefined : { ownerId }, scope, part }
  }
  return { wanted: query.search == null ? undefined : { name: query.search }, scope, part }
}

/** Admins search everything, resellers their own tenant. */
export function scopeOf(principal: Principal): SearchScope {
  return { tenantId: principal.role === 'admin' ? undefined : principal.tenantId }
}

async function ownerFor(db: Db, principal: Principal, idText: string): Promise<number | undefined> {
  const id = parseObjectId(idText)
  if (id === undefined) return undefined
  const row = await readPerson(db, id)
  if (row === undefined) return undefined
  const role: Role | null = row.role
  const owned = { tenantId: row.tenantId, userId: id, role, ownerId: id, controllerIds: [] }
  return looksAfter(principal, owned) ? id : undefined
}
