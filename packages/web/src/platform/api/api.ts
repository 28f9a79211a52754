import { bearer, dropTokens, refreshTokens } from '../session/refresh.ts'
import { proveAgain } from '../session/step-up.ts'
import { readTokens } from '../session/tokens.ts'
import { ApiError } from './api-error.ts'
import {
  type Answer,
  type ReceivedFile,
  type RequestOptions,
  type RouteKey,
  request,
  requestFile,
  requestHtml,
} from './http.ts'
import { reportError } from './report-error.ts'

export { ApiError } from './api-error.ts'
export type { Answer, ReceivedFile, RouteKey } from './http.ts'

export interface CallOptions<R extends RouteKey> extends RequestOptions<R> {
  /** The caller shows errors itself; no toast. */
  ignoreErrors?: boolean
}

const lossListeners = new Set<() => void>()

/** Calls back when the server no longer accepts the session and renewing it failed. */
export function onSessionLost(listener: () => void): () => void {
  lossListeners.add(listener)
  return () => lossListeners.delete(listener)
}

/**
 * Calls the server: `call('POST /api/v4/support/request', { body })`. Failures are shown as a toast, unless
 * `ignoreErrors`, and thrown as `ApiError`. An expired session is renewed and the call retried once.
 */
export async function call<R extends RouteKey>(
  route: R,
  { ignoreErrors = false, ...options }: CallOptions<R> = {},
): Promise<Answer<R>> {
  return reported(ignoreErrors, () =>
    authorised(options.headers, (headers) => request(route, { ...options, headers })),
  )
}

/** Downloads a file with its name. Handles failures like `call`. */
export function callFile<R extends RouteKey>(
  route: R,
  { ignoreErrors = false, ...options }: Omit<CallOptions<R>, 'body'> = {},
): Promise<ReceivedFile> {
  return reported(ignoreErrors, () =>
    authorised(options.headers, (headers) => requestFile(route, { ...options, headers })),
  )
}

async function reported<T>(ignoreErrors: boolean, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!ignoreErrors) reportError(error)
    throw error
  }
}

/** Fetches HTML, such as a static page. Failures are only thrown; the caller shows them. */
export function callHtml(path: string, signal?: AbortSignal): Promise<string> {
  return requestHtml(path, signal)
}

/**
 * Sends a request with the session's tokens. If the server requires reauthentication, prompts the user and
 * calls `send` again, once.
 */
export async function authorised<T>(
  given: Record<string, string> | undefined,
  send: (headers: Record<string, string>) => Promise<T>,
): Promise<T> {
  const begun = performance.now()
  try {
    return await renewing(given, send)
  } catch (error) {
    if (!(error instanceof ApiError) || !error.stepUp) throw error
    await proveAgain(begun)
    return renewing(given, send)
  }
}

/** Sends a request with the session's tokens; renews an expired session and calls `send` again, once. */
async function renewing<T>(
  given: Record<string, string> | undefined,
  send: (headers: Record<string, string>) => Promise<T>,
): Promise<T> {
  const tokens = readTokens()
  if (!tokens || given?.Authorization) return send({ ...given })
  try {
    return await send({ ...bearer(tokens), ...given })
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 401) throw error
    await renew(error)
    return send({ ...bearer(readTokens()), ...given })
  }
}

async function renew(refused: ApiError): Promise<void> {
  const tokens = readTokens()
  try {
    await refreshTokens()
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 401) throw error
    if (dropTokens(tokens)) {
      for (const listener of lossListeners) listener()
      refused.endedSession = true
    }
    throw refused
  }
}
