import type { Routes } from '@gatehouse/contract/routes'
import { currentLanguage } from '../../i18n/i18n.ts'
import { basePath } from '../config.ts'
import { ApiError, isCancelled, type ProofNeed } from './api-error.ts'

export type { Routes }
/** `METHOD /path/{parameter}`, as in the contract. */
export type RouteKey = keyof Routes
export type Answer<R extends RouteKey> = Routes[R]['ok']

type Scalar = string | number | boolean | null | undefined
type Given<T, Fallback> = [T] extends [undefined] ? Fallback : T

export interface RequestOptions<R extends RouteKey> {
  body?: Routes[R]['body']
  /** Values for `{name}` in the path; `'*'` for its wildcard. */
  params?: Given<Routes[R]['params'], undefined>
  query?: Given<Routes[R]['query'], Record<string, Scalar>>
  signal?: AbortSignal
  headers?: Record<string, string>
}

/** Returns the URL of a call with its parameters. */
export function callUrl(
  path: string,
  params: Record<string, Scalar> = {},
  query: Record<string, Scalar> = {},
): string {
  const filled = path.replace(/\{(\w+|\*)\}/g, (_, name: string) =>
    name === '*'
      ? String(params[name]).replace(/^\//, '').split('/').map(encodeURIComponent).join('/')
      : encodeURIComponent(String(params[name])),
  )
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== null) search.set(name, String(value))
  }
  const tail = search.size > 0 ? `?${search}` : ''
  return `${basePath()}${filled}${tail}`
}

/**
 * Sends one request without error handling: returns the response, or throws an `ApiError` or the
 * cancellation.
 */
export async function request<R extends RouteKey>(
  route: R,
  options: RequestOptions<R> = {},
): Promise<Answer<R>> {
  const [method = 'GET', path = ''] = route.split(' ')
  const response = await send(callUrl(path, asScalars(options.params), asScalars(options.query)), {
    method,
    signal: options.signal,
    headers: { ...defaultHeaders(), ...contentType(options.body), ...options.headers },
    body: options.body === undefined ? undefined : JSON.stringify(options.body),
  })
  return response.json()
}

/** A file sent for download. */
export interface ReceivedFile {
  readonly name: string
  readonly content: Blob
}

/** Downloads a file. Its name is in `Content-Disposition`; without one it is `unknown` (specification §7). */
export async function requestFile<R extends RouteKey>(
  route: R,
  options: RequestOptions<R> = {},
): Promise<ReceivedFile> {
  const [method = 'GET', path = ''] = route.split(' ')
  const response = await send(callUrl(path, asScalars(options.params), asScalars(options.query)), {
    method,
    signal: options.signal,
    headers: { ...defaultHeaders(), ...options.headers },
  })
  const name = fileName(response.headers.get('Content-Disposition') ?? '') ?? 'unknown'
  return { name, content: await response.blob() }
}

/**
 * Returns the name in a `Content-Disposition` (RFC 6266): the encoded one of RFC 8187 takes precedence over
 * the plain one.
 */
function fileName(disposition: string): string | undefined {
  const encoded = /filename\*\s*=\s*utf-8'[^']*'([^;\s]+)/i.exec(disposition)?.[1]
  if (encoded) {
    try {
      return decodeURIComponent(encoded)
    } catch {
      // malformed: fall back to the plain name
    }
  }
  const [, quoted, plain] = /filename\s*=\s*(?:"((?:\\.|[^"\\])*)"|([^;\s]+))/i.exec(disposition) ?? []
  return quoted?.replaceAll(/\\(.)/g, '$1') || plain || undefined
}

/** Fetches HTML rendered by the server. */
export async function requestHtml(path: string, signal?: AbortSignal): Promise<string> {
  const headers = { ...defaultHeaders(), Accept: 'text/html' }
  const response = await send(callUrl(path), { headers, signal })
  return response.text()
}

async function send(url: string, init: RequestInit): Promise<Response> {
  let response: Response
  try {
    response = await fetch(url, { credentials: 'same-origin', ...init })
  } catch (failure) {
    if (isCancelled(failure)) throw failure
    throw new ApiError(failure instanceof Error ? failure.message : '', { status: 0 })
  }
  if (!response.ok) throw await readError(response)
  return response
}

/** Headers sent with every call. */
export function defaultHeaders(): Record<string, string> {
  const csrf = /(?:^|; )XSRF-TOKEN=([^;]*)/.exec(document.cookie)?.[1]
  return {
    Accept: 'application/json, text/plain, */*',
    'Accept-Language': currentLanguage(),
    'X-Requested-With': 'XMLHttpRequest',
    ...(csrf && { 'X-XSRF-TOKEN': decodeURIComponent(csrf) }),
  }
}

function contentType(body: unknown): Record<string, string> {
  return body === undefined ? {} : { 'Content-Type': 'application/json' }
}

/** Parses an error response. */
export async function readError(response: Response): Promise<ApiError> {
  const { status, statusText, headers } = response
  const body: unknown = await response.json().catch(() => undefined)
  const { message, errors, factors, passkey, stepUp, ...envelope } = isRecord(body) ? body : {}
  const fromServer = envelope.status === 'error' && typeof message === 'string' && message !== ''
  return new ApiError(fromServer ? message : statusText, {
    status,
    fromServer,
    // The map's structure is checked where its values are read.
    errors: status === 422 && isRecord(errors) ? (errors as ApiError['errors']) : undefined,
    refusal: body,
    redirectUrl: typeof envelope.redirectUrl === 'string' ? envelope.redirectUrl : undefined,
    // according to the contract
    proof: Array.isArray(factors) ? ({ factors, passkey } as ProofNeed) : undefined,
    stepUp: stepUp === true,
    uploaded: typeof envelope.uploaded === 'number' ? envelope.uploaded : undefined,
    requestId: headers.get('X-Request-Id') ?? undefined,
    retryAfter: readRetryAfter(headers.get('Retry-After')),
  })
}

function readRetryAfter(header: string | null): number | undefined {
  if (!header) return undefined
  const seconds = Number(header)
  if (Number.isFinite(seconds)) return Math.max(0, Math.ceil(seconds))
  const date = Date.parse(header)
  return Number.isNaN(date) ? undefined : Math.max(0, Math.ceil((date - Date.now()) / 1000))
}

/** Parameters and queries are flat in every route of the contract, which generic types can't express. */
function asScalars(values: unknown): Record<string, Scalar> | undefined {
  return values as Record<string, Scalar> | undefined
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
