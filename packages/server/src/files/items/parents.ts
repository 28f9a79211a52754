import type { Db } from '../../platform/db/database.ts'
import type { Person } from '../../platform/http/callers/principal.ts'
import { ValidationError } from '../../platform/http/errors.ts'
import { type Place, reachItem } from '../access.ts'
import { plainError } from '../errors.ts'
import { mayChange } from '../policy.ts'
import type { Item } from './item.ts'
import { ancestorsOf, deepest, depthAbove, depthBelow } from './tree-store.ts'

/** Parses a header with comma-separated ids; undefined if it is absent. */
export function idsOfHeader(header: string | string[] | undefined): string[] | undefined {
  if (header === undefined) return undefined
  return [header]
    .flat()
    .join(',')
    .split(',')
    .map((id) => id.trim())
    .filter((id) => id !== '')
}

/** Maximum number of collections per call. */
const most = 100

/**
 * Returns the collections to add something to: those with the given ids, all writable and of one owner; none
 * means the user's root. Throws a 422 if one of them is not such a collection.
 */
export async function placeFor(
  db: Db,
  person: Person,
  ids: readonly string[],
): Promise<Place & { readonly parents: string[] }> {
  const own: Place = {
    collection: null,
    ownerId: person.userId,
    tenantId: person.tenantId,
    rights: 'owner',
  }
  if (ids.length === 0) return { ...own, parents: [] }
  if (ids.length > most) throw plainError('files.unknown-parent')
  let place: Place | undefined
  const parents = new Set<string>()
  for (const id of ids) {
    const reach = await reachItem(db, person, id).catch(() => undefined)
    if (reach === undefined || reach.item.type !== 'collection' || !mayChange(reach)) {
      throw plainError('files.unknown-parent')
    }
    const { item, rights, by } = reach
    if (place !== undefined && place.ownerId !== item.ownerId) throw plainError('files.unknown-parent')
    place ??= {
      collection: item,
      ownerId: item.ownerId,
      tenantId: item.tenantId,
      rights,
      ...(by && { by }),
    }
    parents.add(item.id)
  }
  return { ...(place ?? own), parents: [...parents] }
}

/**
 * Throws a 422 at `parent` if the item would contain itself or exceed the maximum depth. The caller holds the
 * owner's tree.
 */
export async function requireNoCircle(trx: Db, item: Item, parents: readonly string[]): Promise<void> {
  if (parents.length === 0) return
  const below = item.type === 'collection' ? await depthBelow(trx, item.id) : 0
  if (item.type === 'collection' && (await ancestorsOf(trx, parents)).has(item.id)) {
    throw ValidationError.at('parent', 'files.circle')
  }
  if ((await depthAbove(trx, parents)) + below >= deepest) {
    throw ValidationError.at('parent', 'files.too-deep', { max: deepest })
  }
}
