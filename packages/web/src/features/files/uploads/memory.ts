import type { BegunUpload, UploadMemory } from './transport/transport.ts'

/** Maximum number of uploads remembered; the server discards each six hours after its last chunk. */
const most = 200

/** Stores unfinished uploads in this browser. */
export function browserMemory(userId: number): UploadMemory {
  const key = `uploads-${userId}`
  const read = (): BegunUpload[] => readBegun(localStorage.getItem(key))
  const write = (list: readonly BegunUpload[]) => {
    try {
      if (list.length > 0) localStorage.setItem(key, JSON.stringify(list.slice(-most)))
      else localStorage.removeItem(key)
    } catch {
      // If the browser stores nothing, uploads can't be resumed after a reload.
    }
  }
  return {
    find: (wanted) =>
      read().find(
        (one) =>
          one.name === wanted.name &&
          one.size === wanted.size &&
          one.modified === wanted.modified &&
          one.item === wanted.item &&
          one.parent === wanted.parent,
      ),
    remember: (begun) => write([...read(), begun]),
    forget: (uploadId) => write(read().filter((one) => one.uploadId !== uploadId)),
    claim,
  }
}

/** Parses stored uploads; ignores invalid entries. */
export function readBegun(text: string | null): BegunUpload[] {
  try {
    const kept: unknown = JSON.parse(text ?? '[]')
    return Array.isArray(kept) ? kept.filter(isBegun) : []
  } catch {
    return []
  }
}

function isBegun(value: unknown): value is BegunUpload {
  if (typeof value !== 'object' || value === null) return false
  if (!('uploadId' in value && 'name' in value && 'size' in value && 'modified' in value)) return false
  const isText = typeof value.uploadId === 'string' && typeof value.name === 'string'
  return isText && typeof value.size === 'number' && typeof value.modified === 'number'
}

const lockPrefix = 'gatehouse-upload-'

/** Acquires a lock that only one tab can hold. Web Locks exist on secure origins only. */
function claim(uploadId: string): Promise<(() => void) | undefined> {
  if (!navigator.locks) return Promise.resolve(() => undefined)
  return new Promise((resolve) => {
    void navigator.locks.request(lockPrefix + uploadId, { ifAvailable: true }, (lock) => {
      if (lock === null) {
        resolve(undefined)
        return undefined
      }
      return new Promise<void>((release) => {
        resolve(() => release())
      })
    })
  })
}

/** Returns the uploads in progress in any tab of this browser. */
export async function claimedUploads(): Promise<ReadonlySet<string>> {
  const { held = [] } = (await navigator.locks?.query()) ?? {}
  const names = held.flatMap(({ name }) =>
    name?.startsWith(lockPrefix) ? [name.slice(lockPrefix.length)] : [],
  )
  return new Set(names)
}
