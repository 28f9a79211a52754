import { isObject, objectIn, type Resource } from '../schemas/attribute.ts'
import { listUrn } from '../schemas/group-schema.ts'

/** A group as a directory wants it. Absent: null. */
export interface WantedGroup {
  readonly displayName: string | null
  readonly externalId: string | null
  readonly email: string | null
  /** Ids of users and groups. */
  readonly members: readonly string[]
}

/** Reads what a resource says about a group. */
export function wantedGroup(resource: Resource): WantedGroup {
  const { displayName, externalId, members } = resource
  const email = objectIn(resource, listUrn)?.email
  const elements = Array.isArray(members) ? members.filter(isObject) : []
  const ids = elements.flatMap(({ value }) => (typeof value === 'string' ? [value] : []))
  return {
    displayName: textOf(displayName),
    externalId: textOf(externalId),
    email: textOf(email),
    members: [...new Set(ids)],
  }
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : null
}
