import { z } from 'zod'
import { objectDetail, objectListItem, revisionInput } from './directory.ts'
import { kindRoutes, updateRoute } from './kind-routes.ts'
import { mailboxFlags } from './resources.ts'

/** Shared folders, `shared-folders` on the wire. */

export const folderTypes = ['mail', 'event', 'contact', 'task', 'note', 'file'] as const

export type FolderType = (typeof folderTypes)[number]

/** Available types: mail always, the others if shared folders support groupware. */
export function offeredFolderTypes(withGroupware: boolean): readonly FolderType[] {
  return withGroupware ? folderTypes : ['mail']
}

export const folderRights = ['read-only', 'read-write', 'full'] as const

export type FolderRight = (typeof folderRights)[number]

export const folderSortKeys = ['name', 'type', 'email', 'created'] as const

export const folderListItem = objectListItem.extend({
  email: z.string(),
  name: z.string(),
  type: z.enum(folderTypes),
  ...mailboxFlags.shape,
})

export type FolderListItem = z.infer<typeof folderListItem>

export const folderConfig = z.object({
  /** `<anyone or a user's address>, <right>`. */
  acl: z.array(z.string()),
})

export type FolderConfig = z.infer<typeof folderConfig>

export const folderDetail = objectDetail.extend({
  email: z.string(),
  name: z.string(),
  type: z.enum(folderTypes),
  /** Additional addresses; mail folders only. */
  aliases: z.array(z.string()),
  ...mailboxFlags.shape,
  config: folderConfig,
})

export type FolderDetail = z.infer<typeof folderDetail>

const aliases = z.array(z.string().max(1024).nullable()).max(1000).nullish()

export const newFolderInput = z.object({
  name: z.string().max(1024).nullish(),
  type: z.string().max(64).nullish(),
  /** Name of one of the account's own domains. */
  domain: z.string().max(1024).nullish(),
  aliases,
})

export type NewFolderInput = z.input<typeof newFolderInput>

/** Absent keys stay unchanged; `aliases` is the complete desired state. */
export const folderUpdate = z.object({
  name: z.string().max(1024).nullish(),
  aliases,
  revision: revisionInput,
})

export type FolderUpdate = z.input<typeof folderUpdate>

const texts = z.union([z.string().max(1024), z.array(z.string().max(1024).nullable()).max(1000)]).nullish()

const kindCalls = kindRoutes('shared-folder', {
  sorts: folderSortKeys,
  item: folderListItem,
  detail: folderDetail,
  flags: mailboxFlags,
  create: newFolderInput,
  config: z.looseObject({ acl: texts }),
})

export const folderRoutes = {
  ...kindCalls,
  ...updateRoute('shared-folder', {
    summary: "Change a shared folder; omitted keys don't change",
    body: folderUpdate,
  }),
  // grants lasting access
  'POST /api/v4/shared-folders/{id}/config': {
    ...kindCalls['POST /api/v4/shared-folders/{id}/config'],
    openTo: [],
  },
} as const
