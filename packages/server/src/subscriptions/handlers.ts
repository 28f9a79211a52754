import type { SkuType } from '@gatehouse/contract/billing/subscriptions'
import { kinds } from '@gatehouse/contract/directory/kinds'
import type { Schema } from '../platform/db/schema.ts'

/** Behaviour of the SKUs of a handler; reference api-objects §13.2. Lists contain other handlers. */
export interface Handler {
  readonly type: SkuType
  /** Sort key of SKUs, highest first. */
  readonly prio: number
  /** Every object of the type has the SKU. */
  readonly readonly: boolean
  /** Preselected for new objects. */
  readonly enabled: boolean
  /** Selectable quantity, from the SKU's free units to `max`. Without it an object has at most one unit. */
  readonly range?: { readonly max: number; readonly unit: 'GB' }
  readonly required?: readonly HandlerName[]
  readonly forbidden?: readonly HandlerName[]
  /** An object has exactly one of this handler and these. */
  readonly exclusive?: readonly HandlerName[]
  /** Only controllers of the account can choose it. */
  readonly controllerOnly?: true
  /** Staff may give it even if it isn't on sale. */
  readonly staffGivesInactive?: true
}

export const handlerNames = [
  'Mailbox',
  'Storage',
  'Groupware',
  'Activesync',
  'Auth2F',
  'Beta',
  'Domain',
  'DomainRegistration',
  'DomainRelay',
  'DomainHosting',
  'Group',
  'Resource',
  'SharedFolder',
  'Room',
  'GroupRoom',
] as const

export type HandlerName = (typeof handlerNames)[number]

const optional = { readonly: false, enabled: false } as const
const always = { readonly: true, enabled: true } as const

export const handlers: Readonly<Record<HandlerName, Handler>> = {
  Mailbox: { type: 'user', prio: 100, ...always },
  Storage: { type: 'user', prio: 90, ...always, range: { max: 100, unit: 'GB' } },
  Groupware: { type: 'user', prio: 80, ...optional },
  Activesync: { type: 'user', prio: 70, ...optional, required: ['Groupware'] },
  Auth2F: { type: 'user', prio: 60, ...optional, forbidden: ['Activesync'] },
  Beta: { type: 'user', prio: 10, ...optional, staffGivesInactive: true },
  Domain: { type: 'domain', prio: 0, ...optional },
  DomainRegistration: { type: 'domain', prio: 0, ...optional },
  DomainRelay: { type: 'domain', prio: 0, ...optional },
  DomainHosting: { type: 'domain', prio: 0, ...always },
  Group: { type: 'group', prio: 0, ...always },
  Resource: { type: 'resource', prio: 0, ...always },
  SharedFolder: { type: 'sharedFolder', prio: 0, ...always },
  Room: { type: 'room', prio: 10, readonly: false, enabled: true, exclusive: ['GroupRoom'] },
  GroupRoom: { type: 'room', prio: 0, ...optional, exclusive: ['Room'], controllerOnly: true },
}

export function isHandlerName(name: string): name is HandlerName {
  return Object.hasOwn(handlers, name)
}

/** Converts an entitled object's kind to the API name. */
export function skuTypeOf(objectType: Schema['entitlements']['objectType']): SkuType {
  return kinds[objectType].skuType
}

/** Converts the API name to an entitled object's kind. */
export function objectTypeOf(type: SkuType): Schema['entitlements']['objectType'] {
  return type === 'sharedFolder' ? 'shared-folder' : type
}
