import type { MessageKey } from '../../i18n/areas.ts'

/** Event kinds by the first part of the name, which make up the filter. */
export const eventKinds = [
  'user',
  'password',
  'app-password',
  'api-key',
  'webhook',
  'session',
  'sign-in',
  'access',
  'delegation',
  'controller',
  'mail',
  'wallet',
  'domain',
  'group',
  'resource',
  'shared-folder',
  'file',
  'room',
] as const

export type EventKind = (typeof eventKinds)[number]

export const kindLabels: Record<EventKind, MessageKey> = {
  user: 'words.account',
  password: 'words.password',
  'app-password': 'words.appPasswords',
  'api-key': 'words.apiKeys',
  webhook: 'words.webhooks',
  session: 'words.sessions',
  'sign-in': 'events.kindSignIn',
  access: 'events.kindAccess',
  delegation: 'events.kindDelegation',
  controller: 'words.owners',
  mail: 'events.kindMail',
  wallet: 'events.kindWallet',
  domain: 'words.domain',
  group: 'events.kindList',
  resource: 'words.resource',
  'shared-folder': 'words.sharedFolder',
  file: 'words.files',
  room: 'events.kindRoom',
}
