import type { Item } from '../items/item.ts'

/** What the picture library reads. SVG is left out: it is a document that refers to others. */
const types = new Set(['image/avif', 'image/gif', 'image/jpeg', 'image/png', 'image/tiff', 'image/webp'])

/** Bytes of a picture that a thumbnail is made of at most. */
export const largestPicture = 64 * 1024 * 1024

/** Whether a small picture can be made of an item. */
export function hasThumbnail({ type, mimetype, size }: Pick<Item, 'type' | 'mimetype' | 'size'>): boolean {
  return type === 'file' && mimetype !== null && types.has(mimetype) && size > 0 && size <= largestPicture
}
