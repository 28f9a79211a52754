import { hasBit, userStatus } from '@gatehouse/contract/status'
import type { Resource } from '../schemas/attribute.ts'
import { metaOf } from '../schemas/meta.ts'
import { enterpriseUrn, userUrn } from '../schemas/user-schema.ts'
import type { UserRow } from './user-store.ts'

/** Presents a user as a resource. `base`: address of the service. */
export function presentUser(row: UserRow, base: string): Resource {
  const { settings, managerId } = row
  const { first_name: givenName, last_name: familyName, organization, department } = settings
  const formatted = [givenName, familyName].filter((part) => part !== undefined && part !== '').join(' ')
  const extension: Resource = {
    ...(organization !== undefined && { organization }),
    ...(department !== undefined && { department }),
    ...(managerId !== null && {
      manager: {
        value: String(managerId),
        $ref: `${base}/Users/${managerId}`,
        displayName: row.managerName ?? String(managerId),
      },
    }),
  }
  const hasExtension = Object.keys(extension).length > 0
  const stated: Resource = {
    schemas: hasExtension ? [userUrn, enterpriseUrn] : [userUrn],
    id: String(row.id),
    ...(row.externalId !== null && { externalId: row.externalId }),
    userName: row.email,
    ...(formatted !== '' && {
      name: {
        formatted,
        ...(givenName !== undefined && { givenName }),
        ...(familyName !== undefined && { familyName }),
      },
    }),
    displayName: formatted === '' ? row.email : formatted,
    active: !hasBit(row.status, userStatus.suspended),
    emails: emailsOf(row),
    ...(settings.phone !== undefined && {
      phoneNumbers: [{ value: settings.phone, type: 'work', primary: true }],
    }),
    ...(hasExtension && { [enterpriseUrn]: extension }),
  }
  return {
    ...stated,
    ...(row.groups.length > 0 && {
      groups: row.groups.map(([id, display]) => ({
        value: String(id),
        $ref: `${base}/Groups/${id}`,
        display,
        type: 'direct',
      })),
    }),
    meta: metaOf('User', row, `${base}/Users/${row.id}`, stated),
  }
}

/** The address of the mailbox is the primary one; aliases are `other`, the external address is `home`. */
function emailsOf({ email, aliases, settings }: UserRow): Resource[] {
  return [
    { value: email, type: 'work', primary: true },
    ...aliases.map((value) => ({ value, type: 'other', primary: false })),
    ...(settings.external_email === undefined
      ? []
      : [{ value: settings.external_email, type: 'home', primary: false }]),
  ]
}
