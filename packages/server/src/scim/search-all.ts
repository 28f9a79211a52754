import { ScimError } from './errors.ts'
import type { ListQuery } from './list-query.ts'
import { type Page, type ResourceType, resourceTypes } from './resources.ts'
import type { ScimParts, ScimRequest } from './scim-parts.ts'

/**
 * Searches users and then groups. An attribute that only one type has matches no resource of the other. Throws
 * ScimError if a filter fits neither.
 */
export async function searchAll(parts: ScimParts, request: ScimRequest, query: ListQuery): Promise<Page> {
  let left = query
  let total = 0
  let refusal: ScimError | undefined
  let answered = 0
  const resources: Page['resources'][number][] = []
  for (const type of Object.values(resourceTypes)) {
    const page = await listOrRefusal(type, parts, request, left)
    if (page instanceof ScimError) {
      refusal = page
      continue
    }
    answered += 1
    total += page.total
    resources.push(...page.resources)
    left = {
      ...left,
      startIndex: Math.max(1, left.startIndex - page.total),
      count: left.count - page.resources.length,
    }
  }
  if (answered === 0 && refusal !== undefined) throw refusal
  return { total, resources }
}

async function listOrRefusal(
  type: ResourceType,
  parts: ScimParts,
  request: ScimRequest,
  query: ListQuery,
): Promise<Page | ScimError> {
  try {
    return await type.list(parts, request, query)
  } catch (error) {
    if (error instanceof ScimError && ['invalidFilter', 'invalidPath'].includes(error.scimType ?? ''))
      return error
    throw error
  }
}
