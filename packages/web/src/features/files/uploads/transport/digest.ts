/** Returns the SHA-256 of a file in hexadecimal, using Web Crypto, which can't hash in chunks. */
export async function digestOf(file: Blob): Promise<string> {
  const hash = await crypto.subtle.digest('SHA-256', await file.arrayBuffer())
  return [...new Uint8Array(hash)].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}
