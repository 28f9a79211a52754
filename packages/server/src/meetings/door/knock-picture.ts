import { maxPictureLength, maxPictureSide } from '@gatehouse/contract/meetings/meet-rules'

const prefix = 'data:image/png;base64,'
const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])

/** Placeholder picture: head and shoulders. */
const nobody = `data:image/svg+xml;base64,${Buffer.from(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64"><path fill="#e6e8ee" d="M0 0h64v64H0z"/>' +
    '<circle cx="32" cy="24" r="11" fill="#7d8599"/><path fill="#7d8599" d="M10 60a22 20 0 0 1 44 0z"/></svg>',
).toString('base64')}`

/**
 * Returns the picture of a knocking guest for moderators: a small PNG or a placeholder. Undefined if it is
 * anything else, because moderators should only see validated pictures.
 */
export function knockPicture(sent: string | null | undefined): string | undefined {
  if (sent == null) return nobody
  if (sent.length > maxPictureLength || !sent.startsWith(prefix)) return undefined
  const text = sent.slice(prefix.length)
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(text)) return undefined
  return isSmallPng(Buffer.from(text, 'base64')) ? `${prefix}${text}` : undefined
}

/** Validates the signature, a header chunk with limited dimensions, the chunk lengths and the end. */
function isSmallPng(bytes: Buffer): boolean {
  if (bytes.length < 57 || !bytes.subarray(0, 8).equals(signature)) return false
  if (bytes.readUInt32BE(8) !== 13 || chunkName(bytes, 8) !== 'IHDR') return false
  const sides = [bytes.readUInt32BE(16), bytes.readUInt32BE(20)]
  if (sides.some((side) => side < 1 || side > maxPictureSide)) return false
  let hasData = false
  for (let at = 8; at + 12 <= bytes.length; ) {
    const name = chunkName(bytes, at)
    const next = at + 12 + bytes.readUInt32BE(at)
    if (name === 'IDAT') hasData = true
    if (name === 'IEND') return hasData && next === bytes.length
    at = next
  }
  return false
}

function chunkName(bytes: Buffer, at: number): string {
  return bytes.toString('latin1', at + 4, at + 8)
}
