import type { MessageKey } from '../../i18n/areas.ts'

/** What records speak of, by the first part of an event's name; together they make a filter. */
export const eventKinds = [
  'user',
  'password',
  'app-password',
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
  user: 'events.kindAccount',
  password: 'events.kindPassword',
  'app-password': 'events.kindAppPassword',
  session: 'events.kindSession',
  'sign-in': 'events.kindSignIn',
  access: 'events.kindAccess',
  delegation: 'events.kindDelegation',
  controller: 'events.kindController',
  mail: 'events.kindMail',
  wallet: 'events.kindWallet',
  domain: 'events.kindDomain',
  group: 'events.kindList',
  resource: 'events.kindResource',
  'shared-folder': 'events.kindFolder',
  file: 'events.kindFile',
  room: 'events.kindRoom',
}
