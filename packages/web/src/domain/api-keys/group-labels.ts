import type { MessageKey } from '../../i18n/areas.ts'
import { t } from '../../i18n/i18n.ts'

/** Labels of the groups of calls for which API keys have scopes; the test expects one for every group. */
export const groupLabels: Readonly<Record<string, MessageKey>> = {
  'address-book': 'apikeys.groupAddressBook',
  'bulk-work': 'apikeys.groupBulk',
  delegation: 'apikeys.groupDelegation',
  'desired-state': 'apikeys.groupDesiredState',
  'distribution-lists': 'words.distributionLists',
  domains: 'words.domains',
  events: 'words.activity',
  files: 'words.files',
  mail: 'words.mail',
  owners: 'words.owners',
  payments: 'apikeys.groupPayments',
  policies: 'words.policies',
  resources: 'words.resources',
  rooms: 'section.rooms',
  scim: 'apikeys.groupScim',
  search: 'apikeys.groupSearch',
  'shared-folders': 'words.sharedFolders',
  subscriptions: 'words.subscriptions',
  users: 'words.users',
  wallets: 'words.wallet',
  webhooks: 'words.webhooks',
}

/** Returns the label of a group. */
export function groupLabel(group: string): string {
  const key = groupLabels[group]
  return key === undefined ? group : t(key)
}

/** The most groups that a list shows by name. */
const mostShown = 3

/** Describes scopes in a few words: groups by name, with their access where it is only reading. */
export function scopeWords(scopes: readonly string[]): string {
  const writable = new Set(scopes.filter((scope) => scope.endsWith(':write')).map(groupOf))
  const words = [...new Set(scopes.map(groupOf))].map((group) =>
    writable.has(group) ? groupLabel(group) : t('apikeys.readOnlyGroup', { group: groupLabel(group) }),
  )
  const rest = words.length - mostShown
  const shown = words.slice(0, mostShown).join(', ')
  return rest > 0 ? t('apikeys.andMore', { shown, rest }) : shown
}

function groupOf(scope: string): string {
  return scope.split(':', 1)[0] ?? scope
}
