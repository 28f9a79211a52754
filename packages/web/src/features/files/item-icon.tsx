import type { FileItem } from '@gatehouse/contract/files/file-items'
import IconFile from '@tabler/icons-react/dist/esm/icons/IconFile.mjs'
import IconFileSpreadsheet from '@tabler/icons-react/dist/esm/icons/IconFileSpreadsheet.mjs'
import IconFileText from '@tabler/icons-react/dist/esm/icons/IconFileText.mjs'
import IconFileTypePdf from '@tabler/icons-react/dist/esm/icons/IconFileTypePdf.mjs'
import IconFileZip from '@tabler/icons-react/dist/esm/icons/IconFileZip.mjs'
import IconFolder from '@tabler/icons-react/dist/esm/icons/IconFolder.mjs'
import IconMovie from '@tabler/icons-react/dist/esm/icons/IconMovie.mjs'
import IconMusic from '@tabler/icons-react/dist/esm/icons/IconMusic.mjs'
import IconPhoto from '@tabler/icons-react/dist/esm/icons/IconPhoto.mjs'
import type { Glyph } from '../../ui/icon.tsx'

const kinds: readonly (readonly [pattern: RegExp, icon: Glyph])[] = [
  [/^image\//, IconPhoto],
  [/^video\//, IconMovie],
  [/^audio\//, IconMusic],
  [/pdf$/, IconFileTypePdf],
  [/spreadsheet|excel|csv/, IconFileSpreadsheet],
  [/zip|compressed|x-tar|x-7z|x-rar|gzip/, IconFileZip],
  [/^text\/|word|document|rtf/, IconFileText],
]

/** The icon of an item by its type. */
export function itemGlyph({ type, mimetype }: Pick<FileItem, 'type' | 'mimetype'>): Glyph {
  if (type === 'collection') return IconFolder
  return kinds.find(([pattern]) => pattern.test(mimetype ?? ''))?.[1] ?? IconFile
}
