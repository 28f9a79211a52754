import { call } from '../../../platform/api/api.ts'
import { normalName } from '../names.ts'

/** Target folders of dropped folders; each is looked up or created once. */
export interface Folders {
  /** Returns the folder at the end of a path below a parent (null: the root). Missing folders are created. */
  find(parent: string | null, path: readonly string[], signal: AbortSignal): Promise<string | null>
  /** Forgets resolved folders, which may no longer exist. */
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
          // allow a retry
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
      // keep pending requests, or the folder would be created twice
      for (const key of found) known.delete(key)
      found.clear()
    },
  }
}

/** Returns the folder of that name, preferring an existing one, as usual when dropping folders. */
async function askServer(parent: string | null, name: string): Promise<string> {
  const existing = await findFolder(parent, name)
  if (existing !== undefined) return existing
  const { id } = await createFolder(parent, name, { ignoreErrors: true })
  return id
}

async function findFolder(parent: string | null, name: string): Promise<string | undefined> {
  for (let page = 1; ; page++) {
    // the search accepts fewer characters than a name may have
    const query = { parent, type: 'collection', search: name.slice(0, 100), page, size: 500 }
    const { list, hasMore } = await call('GET /api/v4/fs', { query, ignoreErrors: true })
    const found = list.find((item) => item.name === name)
    if (found || !hasMore) return found?.id
  }
}

export interface CreateFolderOptions {
  /** By default, a new key is generated. */
  headers?: Record<string, string>
  /** The caller shows errors itself. */
  ignoreErrors?: boolean
}

/** Creates a folder. */
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
