import { ApiError } from '../platform/api/api-error.ts'
import { type Answer, type RequestOptions, type RouteKey, request } from '../platform/api/http.ts'
import { createStore } from '../state/store.ts'

/**
 * This browser's session as a companion device: separate from the portal's, limited to what a device may do,
 * and stored under its own key.
 */
interface DeviceSession {
  readonly access: string
  readonly refresh: string
  /** Idempotency key for exchanging the refresh token. */
  readonly refreshKey: string
}

interface TokenAnswer {
  readonly access_token: string
  readonly refresh_token: string
}

const key = 'companion'
const lockName = 'gatehouse-companion'

/** Whether this browser is paired; synchronized between tabs. */
export const isPaired = createStore(read() !== undefined)

window.addEventListener('storage', (event) => {
  if (event.key === key || event.key === null) isPaired.set(read() !== undefined)
})

/** Stores the session started by pairing. */
export function keepSession(answer: TokenAnswer): void {
  store(answer)
  isPaired.set(true)
}

/** Deletes the session: the device is no longer paired. */
export function dropSession(): void {
  localStorage.removeItem(key)
  isPaired.set(false)
}

/**
 * Calls the server as this device. Renews an expired session; deletes one that has ended and throws (401).
 */
export async function deviceCall<R extends RouteKey>(
  route: R,
  options: RequestOptions<R> = {},
): Promise<Answer<R>> {
  const session = read()
  if (session === undefined) throw new ApiError('', { status: 401 })
  try {
    return await request(route, { ...options, headers: bearer(session) })
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 401) throw error
    return request(route, { ...options, headers: bearer(await renew(session)) })
  }
}

function bearer({ access }: DeviceSession): Record<string, string> {
  return { Authorization: `Bearer ${access}` }
}

/** Serialized across tabs, because a refresh token works only once. */
function renew(refused: DeviceSession): Promise<DeviceSession> {
  const exchange = async () => {
    const present = read()
    if (present !== undefined && present.access !== refused.access) return present
    try {
      const answer = await request('POST /api/auth/refresh', {
        body: { refresh_token: refused.refresh },
        headers: { 'Idempotency-Key': refused.refreshKey },
      })
      return store(answer)
    } catch (error) {
      if (error instanceof ApiError && error.status === 401) dropSession()
      throw error
    }
  }
  // Web Locks require a secure origin.
  return navigator.locks ? navigator.locks.request(lockName, exchange) : exchange()
}

function read(): DeviceSession | undefined {
  const text = localStorage.getItem(key)
  if (text === null) return undefined
  try {
    const session: Partial<DeviceSession> | null = JSON.parse(text)
    const { access, refresh, refreshKey } = session ?? {}
    return access && refresh && refreshKey ? { access, refresh, refreshKey } : undefined
  } catch {
    return undefined
  }
}

function store(answer: TokenAnswer): DeviceSession {
  const session = {
    access: answer.access_token,
    refresh: answer.refresh_token,
    refreshKey: newKey(),
  }
  localStorage.setItem(key, JSON.stringify(session))
  return session
}

/** Returns this browser's id among all devices. */
export function deviceId(): string {
  const known = localStorage.getItem('companionDevice')
  if (known !== null) return known
  const made = newKey()
  localStorage.setItem('companionDevice', made)
  return made
}

/** Like `crypto.randomUUID`, which requires a secure origin. */
function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}
