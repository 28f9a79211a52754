import type { Permission } from '../permissions.ts'

/**
 * Facts about a kind of objects for server, API and screens. Browsers load this file, so it imports only
 * types.
 */
interface KindFacts {
  /** Path in the API: `/api/v4/{path}`. */
  readonly path: string
  /** Name in page URLs (`/{label}/{id}`, `/{label}s`) and in its set-up steps. */
  readonly label: string
  /** Name in messages (`{name, select, …}`) and in search results. */
  readonly name: string
  /** Permission to see and use it. */
  readonly permission: Permission
  /** Its type in the subscriptions API. */
  readonly skuType: string
  /** Singular and plural in the API description. */
  readonly noun: string
  readonly plural: string
}

/** Kinds of an account's objects, by their name in the database and in the activity. */
export const kinds = {
  user: {
    path: 'users',
    label: 'user',
    name: 'user',
    permission: 'users',
    skuType: 'user',
    noun: 'user',
    plural: 'Users',
  },
  domain: {
    path: 'domains',
    label: 'domain',
    name: 'domain',
    permission: 'domains',
    skuType: 'domain',
    noun: 'domain',
    plural: 'Domains',
  },
  group: {
    path: 'groups',
    label: 'distlist',
    name: 'distlist',
    permission: 'distlists',
    skuType: 'group',
    noun: 'distribution list',
    plural: 'Distribution lists',
  },
  resource: {
    path: 'resources',
    label: 'resource',
    name: 'resource',
    permission: 'resources',
    skuType: 'resource',
    noun: 'resource',
    plural: 'Resources',
  },
  'shared-folder': {
    path: 'shared-folders',
    label: 'shared-folder',
    name: 'folder',
    permission: 'folders',
    skuType: 'sharedFolder',
    noun: 'shared folder',
    plural: 'Shared folders',
  },
  room: {
    path: 'rooms',
    label: 'room',
    name: 'room',
    permission: 'rooms',
    skuType: 'room',
    noun: 'room',
    plural: 'Rooms',
  },
} as const satisfies Readonly<Record<string, KindFacts>>

export type Kind = keyof typeof kinds

/** API path of a kind. */
export type PathOf<K extends Kind> = (typeof kinds)[K]['path']

/** The names of all kinds, in order. */
export const kindNames = [
  kinds.user.name,
  kinds.domain.name,
  kinds.group.name,
  kinds.resource.name,
  kinds['shared-folder'].name,
  kinds.room.name,
] as const

/** Their types in the subscriptions API. */
export const skuTypes = [
  kinds.user.skuType,
  kinds.domain.skuType,
  kinds.group.skuType,
  kinds.resource.skuType,
  kinds['shared-folder'].skuType,
  kinds.room.skuType,
] as const

/** Kinds of objects with an address in a domain of the account, which share most rules. */
export const directoryKinds = ['group', 'resource', 'shared-folder'] as const satisfies readonly Kind[]

export type DirectoryKind = (typeof directoryKinds)[number]

/** Kinds known to the mail back end. Support staff can create them, and bulk actions can change them. */
export const mailKinds = ['user', 'domain', ...directoryKinds] as const satisfies readonly Kind[]

export type MailKind = (typeof mailKinds)[number]

/** Their paths in the API. */
export const mailPaths = [
  kinds.user.path,
  kinds.domain.path,
  kinds.group.path,
  kinds.resource.path,
  kinds['shared-folder'].path,
] as const

export type MailPath = (typeof mailPaths)[number]

/** The kind for each API path. */
export const kindAt = Object.fromEntries(mailKinds.map((kind) => [kinds[kind].path, kind])) as Readonly<
  Record<MailPath, MailKind> // fromEntries loses the type of the keys, which are the paths of all these kinds
>
