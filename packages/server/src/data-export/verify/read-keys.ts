import { createPublicKey, type KeyObject } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { z } from 'zod'
import { ExportDamaged } from './errors.ts'

const keySet = z.object({
  keys: z.array(z.looseObject({ kty: z.string(), kid: z.string().optional() })),
})
const singleKey = z.looseObject({ kty: z.string(), kid: z.string().optional() })

/** A public key, with its id if that is known. */
export interface PublicKey {
  readonly kid: string | undefined
  readonly key: KeyObject
}

/** Milliseconds that the installation gets to answer. */
const patience = 15_000

/** Reads public keys from a URL or a file: a JSON Web Key Set, a single key, or PEM. Throws ExportDamaged. */
export async function readKeys(place: string): Promise<PublicKey[]> {
  const text = /^https?:\/\//.test(place) ? await fetchText(place) : await readFile(place, 'utf8')
  try {
    return parseKeys(text)
  } catch (error) {
    throw new ExportDamaged(`${place} contains no public keys.`, { cause: error })
  }
}

function parseKeys(text: string): PublicKey[] {
  if (text.trimStart().startsWith('-----BEGIN')) return [{ kid: undefined, key: createPublicKey(text) }]
  const json: unknown = JSON.parse(text)
  const set = keySet.safeParse(json)
  const keys = set.success ? set.data.keys : [singleKey.parse(json)]
  return keys.map((jwk) => ({ kid: jwk.kid, key: createPublicKey({ key: jwk, format: 'jwk' }) }))
}

async function fetchText(url: string): Promise<string> {
  const response = await fetch(url, { signal: AbortSignal.timeout(patience) }).catch((error: unknown) => {
    throw new ExportDamaged(`${url} can't be reached. Use --keys=<file> with a copy of the keys.`, {
      cause: error,
    })
  })
  if (!response.ok) throw new ExportDamaged(`${url} answered with status ${response.status}.`)
  return response.text()
}
