import type { ImportKind } from '@gatehouse/contract/directory/bulk'
import { fieldsWith, userFields } from '@gatehouse/contract/directory/user-fields'
import type { MessageKey } from '../../i18n/areas.ts'
import type { Permission } from '../../platform/session/auth.ts'

/**
 * Maximum number of bytes and rows in a file; copied, because importing the contract would pull in its
 * validator.
 */
export const maxBytes = 10 * 1024 * 1024
export const maxRows = 5000

interface KindLook {
  label: MessageKey
  hint: MessageKey
  perm: Permission
  columns: readonly { name: string; about: MessageKey; isRequired?: true }[]
  /** Rows of the sample file, using one of the reader's domains. */
  sample: (domain: string) => readonly (readonly string[])[]
}

/** Name of the sample file of a kind. */
export const sampleNames: Record<ImportKind, string> = {
  users: 'users-sample.csv',
  groups: 'lists-sample.csv',
  members: 'list-members-sample.csv',
}

/** Columns of personal fields with a self-explanatory label. */
const personal = fieldsWith('headings').flatMap((name) =>
  name === 'external_email' || name === 'country' ? [] : [{ name, about: `userfields.${name}` as const }],
)

export const importKinds: Record<ImportKind, KindLook> = {
  users: {
    label: 'words.users',
    hint: 'imports.usersHint',
    perm: 'users',
    columns: [
      { name: 'email', about: 'imports.colEmail', isRequired: true },
      ...personal.filter(({ name }) => 'isListed' in userFields[name]),
      { name: 'aliases', about: 'imports.colAliases' },
      { name: 'package', about: 'imports.colPackage' },
      { name: 'quota', about: 'imports.colQuota' },
      { name: 'password', about: 'imports.colPassword' },
      { name: 'external_email', about: 'imports.colExternal' },
      ...personal.filter(({ name }) => !('isListed' in userFields[name])),
      { name: 'country', about: 'imports.colCountry' },
    ],
    sample: (domain) => [
      ['email', 'first_name', 'last_name', 'aliases', 'external_email'],
      [`jane.roe@${domain}`, 'Jane', 'Roe', `jane@${domain}`, 'jane@example.org'],
      [`max.muster@${domain}`, 'Max', 'Muster', '', 'max@example.org'],
    ],
  },
  groups: {
    label: 'words.distributionLists',
    hint: 'imports.groupsHint',
    perm: 'distlists',
    columns: [
      { name: 'email', about: 'imports.colListEmail', isRequired: true },
      { name: 'name', about: 'imports.colListName', isRequired: true },
      { name: 'members', about: 'imports.colMembers', isRequired: true },
    ],
    sample: (domain) => [
      ['email', 'name', 'members'],
      [`team@${domain}`, 'Team', `jane.roe@${domain} max.muster@${domain}`],
    ],
  },
  members: {
    label: 'imports.members',
    hint: 'imports.membersHint',
    perm: 'distlists',
    columns: [
      { name: 'list', about: 'imports.colList', isRequired: true },
      { name: 'member', about: 'imports.colMember', isRequired: true },
    ],
    sample: (domain) => [
      ['list', 'member'],
      [`team@${domain}`, `jane.roe@${domain}`],
      [`team@${domain}`, 'guest@example.org'],
    ],
  },
}

/** Text of a template file, with a byte order mark so that spreadsheets read it as UTF-8. */
export function sampleText(kind: ImportKind, domain: string): string {
  const rows = importKinds[kind].sample(domain)
  return `\ufeff${rows.map((row) => `${row.join(',')}\r\n`).join('')}`
}
