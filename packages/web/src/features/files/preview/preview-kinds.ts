import type { PreviewType, previewTypes } from '@gatehouse/contract/files/file-items'

/** How a file is previewed. */
export type PreviewKind = 'image' | 'pdf' | 'audio' | 'video' | 'text'

// Importing the contract's array would pull its validator into the bundle.
const kinds: Readonly<Record<PreviewType, PreviewKind>> = {
  'application/pdf': 'pdf',
  'audio/aac': 'audio',
  'audio/flac': 'audio',
  'audio/mp4': 'audio',
  'audio/mpeg': 'audio',
  'audio/ogg': 'audio',
  'audio/wav': 'audio',
  'audio/webm': 'audio',
  'image/avif': 'image',
  'image/bmp': 'image',
  'image/gif': 'image',
  'image/jpeg': 'image',
  'image/png': 'image',
  'image/webp': 'image',
  'text/plain': 'text',
  'video/mp4': 'video',
  'video/ogg': 'video',
  'video/webm': 'video',
} satisfies Record<(typeof previewTypes)[number], PreviewKind>

export const previewKindTypes: readonly string[] = Object.keys(kinds)

/**
 * Returns how a media type is previewed; undefined: download only. Images with scripts (SVG) are never
 * shown.
 */
export function previewKind(mimetype: string | null): PreviewKind | undefined {
  if (mimetype === null) return undefined
  const type = mimetype.split(';', 1)[0]?.trim().toLowerCase() ?? ''
  return Object.hasOwn(kinds, type) ? kinds[type as PreviewType] : undefined // it is one of its keys
}

/** Returns the previous or next item with a preview; undefined if there is none. */
export function neighbour<Item extends { id: string; hasPreview: boolean }>(
  items: readonly Item[],
  id: string,
  step: 1 | -1,
): Item | undefined {
  const shown = items.filter((item) => item.hasPreview || item.id === id)
  const at = shown.findIndex((item) => item.id === id)
  return at < 0 ? undefined : shown[at + step]
}
