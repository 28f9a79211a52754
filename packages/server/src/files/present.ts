import { type FileDetail, type FileItem, previewTypes } from '@gatehouse/contract/files/file-items'
import type { CompletedFile } from '@gatehouse/contract/files/file-uploads'
import { wireDate } from '../platform/clock.ts'
import type { Principal } from '../platform/http/callers/principal.ts'
import { mayChangeAccess } from '../users/policy.ts'
import { sharePrefix } from './access.ts'
import type { Item } from './items/item.ts'
import { mayChange, mayDelete, mayShare, type Reach } from './policy.ts'
import { hasThumbnail } from './thumbnails/thumbnail-types.ts'
import type { Version } from './version-store.ts'

/** Additional facts about an item in a list. */
export interface ItemFacts {
  readonly reader: Principal
  readonly isShared: boolean
  /** For other owners' items. */
  readonly owner?: { readonly email: string; readonly name: string }
}

/** `YYYY-MM-DD HH:MM`, UTC: the format of modification times in the API. */
export function shortDate(moment: Date): string {
  return wireDate(moment).slice(0, 16)
}

/** Returns an item as shown in lists. */
export function presentItem(reach: Reach, facts: ItemFacts): FileItem {
  const { item } = reach
  return {
    id: item.id,
    type: item.type,
    created_at: wireDate(item.createdAt),
    updated_at: wireDate(item.updatedAt),
    name: item.name,
    size: item.size,
    mimetype: item.mimetype,
    mtime: shortDate(item.changedAt),
    isOwner: reach.rights === 'owner',
    canUpdate: mayChange(reach),
    canDelete: mayDelete(reach),
    canShare: mayShare(reach) && mayChangeAccess(facts.reader),
    isShared: reach.rights === 'owner' && facts.isShared,
    hasThumbnail: hasThumbnail(item),
    hasPreview: previewType(item.mimetype) !== undefined,
    ...(facts.owner !== undefined && { owner: facts.owner }),
  }
}

/** Returns an item as shown on its page. */
export function presentDetail(
  reach: Reach,
  facts: ItemFacts & {
    readonly parents: readonly string[]
    readonly path: readonly { readonly id: string; readonly name: string }[]
    readonly version: Version | undefined
    readonly versions: number
  },
): FileDetail {
  const { version, by } = reach.by === undefined ? { ...facts, by: undefined } : { ...facts, by: reach.by }
  const isFile = version !== undefined
  return {
    ...presentItem(reach, facts),
    parents: [...facts.parents],
    path: [...facts.path],
    sha256: isFile ? version.sha256.toString('hex') : null,
    versions: isFile ? (reach.rights === 'owner' ? facts.versions : 1) : 0,
    scan: version?.scan ?? 'off',
    ...(by !== undefined && { share: { id: `${sharePrefix}${by.shareId}`, permissions: by.rights } }),
  }
}

/** Returns the full form that other clients read after a change. */
export function presentFull(item: Item): Omit<CompletedFile, 'status' | 'message'> {
  return {
    id: item.id,
    type: item.type,
    name: item.name,
    size: item.size,
    mimetype: item.mimetype,
    created_at: wireDate(item.createdAt),
    updated_at: wireDate(item.updatedAt),
  }
}

const shown = new Set<string>(previewTypes)
/** Text types outside `text/…`. */
const alsoText = new Set([
  'application/json',
  'application/javascript',
  'application/xml',
  'application/x-sh',
  'application/x-yaml',
  'application/toml',
])

/**
 * Returns the media type for inline display: the file's own if it can't contain active content, plain text for
 * all text.
 */
export function previewType(mimetype: string | null): string | undefined {
  if (mimetype === null) return undefined
  if (mimetype.startsWith('text/') || alsoText.has(mimetype)) return 'text/plain; charset=utf-8'
  return shown.has(mimetype) ? mimetype : undefined
}
