import type { Permission } from '../permissions.ts'

/** Facts about a kind of objects for server, wire and screens. Browsers load this file, so it imports only types. */
interface KindFacts {
  /** Its place on the wire: `/api/v4/{path}`. */
  readonly path: string
  /** Its name in addresses of pages (`/{label}/{id}`, `/{label}s`) and in the steps of its set-up. */
  readonly label: string
  /** Its name in texts (`{name, select, …}`) and in search results. */
  readonly name: string
  /** What a user needs to see and use it. */
  readonly permission: Permission
  /** What the wire calls it where subscriptions are concerned. */
  readonly skuType: string
  /** How the description of the API calls one, and all of them. */
  readonly noun: string
  readonly plural: string
}

/** Kinds of objects that an account has, by the name that they have in the database and in the activity. */
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

/** The place of a kind on the wire. */
export type PathOf<K extends Kind> = (typeof kinds)[K]['path']

/** The names of all kinds, in their order. */
export const kindNames = [
  kinds.user.name,
  kinds.domain.name,
  kinds.group.name,
  kinds.resource.name,
  kinds['shared-folder'].name,
  kinds.room.name,
] as const

/** What the wire calls them where subscriptions are concerned. */
export const skuTypes = [
  kinds.user.skuType,
  kinds.domain.skuType,
  kinds.group.skuType,
  kinds.resource.skuType,
  kinds['shared-folder'].skuType,
  kinds.room.skuType,
] as const

/** Kinds of objects with an address in a domain of the account, which share nearly all of their rules. */
export const directoryKinds = ['group', 'resource', 'shared-folder'] as const satisfies readonly Kind[]

export type DirectoryKind = (typeof directoryKinds)[number]

/** Kinds that the mail back end knows. Support staff create them, and a batch can change many at once. */
export const mailKinds = ['user', 'domain', ...directoryKinds] as const satisfies readonly Kind[]

export type MailKind = (typeof mailKinds)[number]

/** The same, as their places on the wire. */
export const mailPaths = [
  kinds.user.path,
  kinds.domain.path,
  kinds.group.path,
  kinds.resource.path,
  kinds['shared-folder'].path,
] as const

export type MailPath = (typeof mailPaths)[number]

/** The kind at each place on the wire. */
export const kindAt = Object.fromEntries(mailKinds.map((kind) => [kinds[kind].path, kind])) as Readonly<
  Record<MailPath, MailKind> // fromEntries forgets the keys, which are the paths of all these kinds
>
