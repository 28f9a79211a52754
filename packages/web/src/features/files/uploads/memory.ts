import type { BegunUpload, UploadMemory } from './transport/transport.ts'

/** Uploads that are remembered at most; the server forgets each six hours after its last chunk. */
const most = 200

/** Remembers in this browser what somebody has begun to send. */
export function browserMemory(userId: number): UploadMemory {
  const key = `uploads-${userId}`
  const read = (): BegunUpload[] => readBegun(localStorage.getItem(key))
  const write = (list: readonly BegunUpload[]) => {
    try {
      if (list.length > 0) localStorage.setItem(key, JSON.stringify(list.slice(-most)))
      else localStorage.removeItem(key)
    } catch {
      // A browser that keeps nothing cannot go on after a reload.
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

/** Reads what was kept; what makes no sense there counts as nothing. */
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

/** Takes a lock that only one tab can have. Web Locks exist on secure origins only. */
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

/** Uploads that some tab of this browser is at. */
export async function claimedUploads(): Promise<ReadonlySet<string>> {
  const { held = [] } = (await navigator.locks?.query()) ?? {}
  const names = held.flatMap(({ name }) =>
    name?.startsWith(lockPrefix) ? [name.slice(lockPrefix.length)] : [],
  )
  return new Set(names)
}
