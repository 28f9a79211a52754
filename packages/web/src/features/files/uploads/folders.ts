import { call } from '../../../platform/api/api.ts'
import { normalName } from '../names.ts'

/** The folders into which dropped folders go; each is looked up, or made, once. */
export interface Folders {
  /** The folder at the end of a path below a parent (null: the root). What is missing of it is made. */
  find(parent: string | null, path: readonly string[], signal: AbortSignal): Promise<string | null>
  /** Looks again for what it has found, which may be gone by now. */
  forget(): void
}

export function createFolders(ask = askServer): Folders {
  const known = new Map<string, Promise<string>>()
  const found = new Set<string>()

  const one = (parent: string | null, name: string): Promise<string> => {
    const key = JSON.stringify([parent, name])
    const begun =
      known.get(key) ??
      ask(parent, name).then(
        (id) => {
          found.add(key)
          return id
        },
        (error: unknown) => {
          // another try asks again
          known.delete(key)
          throw error
        },
      )
    known.set(key, begun)
    return begun
  }

  return {
    find: async (parent, path, signal) => {
      let at = parent
      for (const name of path) {
        at = await one(at, normalName(name))
        signal.throwIfAborted()
      }
      return at
    },
    forget: () => {
      // not what is being looked for: it would be made twice
      for (const key of found) known.delete(key)
      found.clear()
    },
  }
}

/** The folder of that name, an existing one before a new one, as dropping a folder does everywhere. */
async function askServer(parent: string | null, name: string): Promise<string> {
  const existing = await findFolder(parent, name)
  if (existing !== undefined) return existing
  const { id } = await createFolder(parent, name, { ignoreErrors: true })
  return id
}

async function findFolder(parent: string | null, name: string): Promise<string | undefined> {
  for (let page = 1; ; page++) {
    // the search takes fewer letters than a name may have
    const query = { parent, type: 'collection', search: name.slice(0, 100), page, size: 500 }
    const { list, hasMore } = await call('GET /api/v4/fs', { query, ignoreErrors: true })
    const found = list.find((item) => item.name === name)
    if (found || !hasMore) return found?.id
  }
}

export interface CreateFolderOptions {
  /** Absent: a key of its own. */
  headers?: Record<string, string>
  /** The caller shows the failure itself. */
  ignoreErrors?: boolean
}

/** Makes a folder. */
export async function createFolder(
  parent: string | null,
  name: string,
  { headers = { 'Idempotency-Key': crypto.randomUUID() }, ignoreErrors = false }: CreateFolderOptions = {},
): Promise<{ id: string; message: string }> {
  const answer = await call('POST /api/v4/fs', {
    body: { type: 'collection', name, parent },
    headers,
    ignoreErrors,
  })
  if (!('id' in answer && 'message' in answer)) throw new Error('response for a new folder has no id')
  return { id: answer.id, message: answer.message }
}
