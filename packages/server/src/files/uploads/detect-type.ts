/** Media types by magic number: offset, bytes in hexadecimal, type. */
const signatures: readonly (readonly [number, string, string])[] = [
  [0, '89504e470d0a1a0a', 'image/png'],
  [0, 'ffd8ff', 'image/jpeg'],
  [0, '474946383761', 'image/gif'],
  [0, '474946383961', 'image/gif'],
  [8, '57454250', 'image/webp'],
  [0, '424d', 'image/bmp'],
  [0, '49492a00', 'image/tiff'],
  [0, '4d4d002a', 'image/tiff'],
  [4, '6674797061766966', 'image/avif'],
  [4, '6674797068656963', 'image/heic'],
  [0, '255044462d', 'application/pdf'],
  [8, '57415645', 'audio/wav'],
  [8, '41564920', 'video/x-msvideo'],
  [0, '494433', 'audio/mpeg'],
  [0, 'fffb', 'audio/mpeg'],
  [0, '664c6143', 'audio/flac'],
  [0, '4f676753', 'audio/ogg'],
  [4, '667479704d3441', 'audio/mp4'],
  [4, '66747970717420', 'video/quicktime'],
  [4, '66747970', 'video/mp4'],
  [0, '1a45dfa3', 'video/webm'],
  [0, '504b0304', 'application/zip'],
  [0, '1f8b', 'application/gzip'],
  [0, '377abcaf271c', 'application/x-7z-compressed'],
  [0, '526172211a07', 'application/vnd.rar'],
  [0, 'd0cf11e0a1b11ae1', 'application/x-ole-storage'],
]

/** Media types by file extension, for content that is only recognised as a container or text. */
const byExtension: Readonly<Record<string, string>> = {
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  pptx: 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
  odt: 'application/vnd.oasis.opendocument.text',
  ods: 'application/vnd.oasis.opendocument.spreadsheet',
  odp: 'application/vnd.oasis.opendocument.presentation',
  doc: 'application/msword',
  xls: 'application/vnd.ms-excel',
  ppt: 'application/vnd.ms-powerpoint',
  epub: 'application/epub+zip',
  html: 'text/html',
  htm: 'text/html',
  svg: 'image/svg+xml',
  xml: 'text/xml',
  css: 'text/css',
  csv: 'text/csv',
  md: 'text/markdown',
  js: 'text/javascript',
  json: 'application/json',
  ics: 'text/calendar',
  vcf: 'text/vcard',
}

const containers = new Set(['application/zip', 'application/x-ole-storage', 'text/plain'])

/**
 * Detects the media type of content without a declared one: by its first bytes, for containers and text also
 * by its name.
 */
export function detectType(head: Uint8Array, name: string): string {
  const found = bySignature(head) ?? (isText(head) ? 'text/plain' : undefined)
  const extension = /\.([a-z0-9]{1,8})$/i.exec(name)?.[1]?.toLowerCase() ?? ''
  if (found !== undefined && !containers.has(found)) return found
  if (found !== undefined && Object.hasOwn(byExtension, extension)) return byExtension[extension] ?? found
  return found === 'application/x-ole-storage' ? fallbackType : (found ?? fallbackType)
}

export const fallbackType = 'application/octet-stream'

function bySignature(head: Uint8Array): string | undefined {
  const bytes = Buffer.from(head.buffer, head.byteOffset, Math.min(head.length, 64))
  const hex = bytes.toString('hex')
  return signatures.find(([offset, signature]) => hex.startsWith(signature, offset * 2))?.[2]
}

/** Returns true for UTF-8 without control characters; the last character may be incomplete. */
function isText(head: Uint8Array): boolean {
  const start = head.subarray(0, 4096)
  if (start.some((byte) => byte < 9 || (byte > 13 && byte < 32 && byte !== 27))) return false
  const decoder = new TextDecoder('utf-8', { fatal: true })
  try {
    decoder.decode(start, { stream: true })
    return true
  } catch {
    return false
  }
}

/**
 * Returns the declared media type in lower case without parameters; undefined if it is missing, generic or
 * invalid.
 */
export function declaredType(header: string | undefined): string | undefined {
  const type = header?.split(';', 1)[0]?.trim().toLowerCase()
  if (type === undefined || !/^[a-z0-9!#$&^_.+-]{1,127}\/[a-z0-9!#$&^_.+-]{1,127}$/.test(type))
    return undefined
  const saysNothing = [fallbackType, 'application/x-www-form-urlencoded', 'multipart/form-data']
  return saysNothing.includes(type) ? undefined : type
}
