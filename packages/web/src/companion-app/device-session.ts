import { ApiError } from '../platform/api/api-error.ts'
import { type Answer, type RequestOptions, type RouteKey, request } from '../platform/api/http.ts'
import { createStore } from '../state/store.ts'

/**
 * The session of this browser as a companion device: another one than that of the portal, worth only what a device
 * may do, and kept under a name of its own.
 */
interface DeviceSession {
  readonly access: string
  readonly refresh: string
  /** Under this key the refresh token is exchanged, however often that is asked for. */
  readonly refreshKey: string
}

interface TokenAnswer {
  readonly access_token: string
  readonly refresh_token: string
}

const key = 'companion'
const lockName = 'gatehouse-companion'

/** Whether this browser is paired; other tabs of it are followed. */
export const isPaired = createStore(read() !== undefined)

window.addEventListener('storage', (event) => {
  if (event.key === key || event.key === null) isPaired.set(read() !== undefined)
})

/** Takes over the session that pairing has begun. */
export function keepSession(answer: TokenAnswer): void {
  store(answer)
  isPaired.set(true)
}

/** Forgets the session: the device is not paired any more. */
export function dropSession(): void {
  localStorage.removeItem(key)
  isPaired.set(false)
}

/** Calls the server as this device. An expired session is renewed; one that is over is forgotten, and thrown (401). */
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

/** Once at a time over all tabs: a refresh token works once. */
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
  // Web Locks exist on secure origins only.
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

/** The name of this browser among the devices of everybody. */
export function deviceId(): string {
  const known = localStorage.getItem('companionDevice')
  if (known !== null) return known
  const made = newKey()
  localStorage.setItem('companionDevice', made)
  return made
}

/** As `crypto.randomUUID`, which exists on secure origins only. */
function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}
