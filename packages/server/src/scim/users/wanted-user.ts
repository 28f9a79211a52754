import { canonicalAddress } from '@gatehouse/contract/canonical-address'
import { isObject, objectIn, type Resource } from '../schemas/attribute.ts'
import { enterpriseUrn } from '../schemas/user-schema.ts'

/** A user as a directory wants it. Absent: null. */
export interface WantedUser {
  readonly userName: string | null
  readonly externalId: string | null
  readonly isActive: boolean
  /** Canonical addresses, without the user's own. */
  readonly emails: readonly string[]
  readonly managerId: string | null
  readonly profile: Readonly<
    Record<'first_name' | 'last_name' | 'organization' | 'department' | 'phone', string | null>
  >
  /** Id or title of the package of a new user. */
  readonly packageName: string | null
}

/** Reads what a resource says about a user. */
export function wantedUser(resource: Resource): WantedUser {
  const userName = textIn(resource, 'userName')
  const extension = objectIn(resource, enterpriseUrn) ?? {}
  const [first, last] = namesOf(resource)
  const own = userName === null ? undefined : canonicalAddress(userName)
  const emails = valuesOf(resource, 'emails').map((email) => canonicalAddress(email.trim()))
  return {
    userName,
    externalId: textIn(resource, 'externalId'),
    isActive: resource.active !== false,
    emails: [...new Set(emails)].filter((email) => email !== own),
    managerId: textIn(objectIn(extension, 'manager') ?? {}, 'value'),
    profile: {
      first_name: first,
      last_name: last,
      organization: textIn(extension, 'organization'),
      department: textIn(extension, 'department'),
      phone: phoneOf(resource),
    },
    packageName: valuesOf(resource, 'entitlements')[0] ?? null,
  }
}

/** The display name is only stored if there is no other name. */
function namesOf(resource: Resource): [string | null, string | null] {
  const name = objectIn(resource, 'name') ?? {}
  const names: [string | null, string | null] = [textIn(name, 'givenName'), textIn(name, 'familyName')]
  const display = textIn(resource, 'displayName')?.trim()
  if (names.some((part) => part !== null) || display === undefined || display.includes('@')) return names
  const at = display.lastIndexOf(' ')
  return at < 0 ? [null, display] : [display.slice(0, at).trim(), display.slice(at + 1)]
}

/** The portal has one phone number: the primary one, the one for work, or the first. */
function phoneOf(resource: Resource): string | null {
  const phones = elementsOf(resource, 'phoneNumbers').filter(({ value }) => typeof value === 'string')
  const chosen =
    phones.find(({ primary }) => primary === true) ?? phones.find(({ type }) => type === 'work') ?? phones[0]
  return chosen === undefined ? null : textIn(chosen, 'value')
}

function valuesOf(resource: Resource, name: string): string[] {
  return elementsOf(resource, name).flatMap(({ value }) => (typeof value === 'string' ? [value] : []))
}

function elementsOf(resource: Resource, name: string): Resource[] {
  const value = resource[name]
  return Array.isArray(value) ? value.filter(isObject) : []
}

function textIn(resource: Resource, name: string): string | null {
  const value = resource[name]
  return typeof value === 'string' ? value : null
}
