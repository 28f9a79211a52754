import { createSHA256 } from 'hash-wasm'
import { digestOf } from './digest.ts'

/** Bytes read at a time. */
const piece = 2 ** 20

/**
 * Returns the SHA-256 of a file in hexadecimal, using no more memory than one piece. Uses WebAssembly, which
 * only the worker's content security policy allows and browsers in lockdown mode don't support.
 */
export async function hashOf(file: Blob): Promise<string> {
  if (typeof WebAssembly === 'undefined') return digestOf(file)
  const hash = await createSHA256()
  for (let at = 0; at < file.size; at += piece) {
    hash.update(new Uint8Array(await file.slice(at, at + piece).arrayBuffer()))
  }
  return hash.digest('hex')
}
