import type { Item } from '../items/item.ts'

/** Types supported by the image library. SVG is excluded because it can reference other documents. */
const types = new Set(['image/avif', 'image/gif', 'image/jpeg', 'image/png', 'image/tiff', 'image/webp'])

/** Maximum bytes of an image for which a thumbnail is created. */
export const largestPicture = 64 * 1024 * 1024

/** Returns whether a thumbnail can be created for an item. */
export function hasThumbnail({ type, mimetype, size }: Pick<Item, 'type' | 'mimetype' | 'size'>): boolean {
  return type === 'file' && mimetype !== null && types.has(mimetype) && size > 0 && size <= largestPicture
}
