import type { Permission } from '../../platform/session/auth.ts'

/** Kinds of objects of an account, as the server names them, with the page that each has and who may open it. */
export const objectPages = {
  user: { path: '/user', perm: 'users' },
  domain: { path: '/domain', perm: 'domains' },
  group: { path: '/distlist', perm: 'distlists' },
  resource: { path: '/resource', perm: 'resources' },
  'shared-folder': { path: '/shared-folder', perm: 'folders' },
} as const satisfies Record<string, { path: string; perm: Permission }>

export type ObjectKind = keyof typeof objectPages

export function isObjectKind(type: string): type is ObjectKind {
  return Object.hasOwn(objectPages, type)
}
