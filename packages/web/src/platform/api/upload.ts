import type { RouteKey, Routes } from '@gatehouse/contract/routes'
import { type Answer, ApiError, authorised } from './api.ts'
import { callUrl, defaultHeaders, readError } from './http.ts'

type UploadRoute = Extract<
  RouteKey,
  'POST /api/v4/imports' | 'POST /api/v4/invitations/import' | 'POST /api/v4/fs' | 'PUT /api/v4/fs/{id}'
>

export interface UploadOptions<R extends UploadRoute> {
  file: Blob
  /** Media type; empty: detected by the server. Default: a table. */
  type?: string
  params?: Routes[R]['params']
  /** Sent in the query string with the file. */
  query: Routes[R]['body']
  headers?: Record<string, string>
  /** Upload progress: from 0 to 1, and in bytes. */
  onProgress: (share: number, bytes: number) => void
  signal?: AbortSignal
}

/** Uploads a raw file. Failures are only thrown; the caller shows them beside the file. */
export function upload<R extends UploadRoute>(route: R, options: UploadOptions<R>): Promise<Answer<R>> {
  return authorised(options.headers, async (headers) => {
    const response = await post(route, options, headers)
    if (!response.ok) throw await readError(response)
    return response.json()
  })
}

/** Uses XMLHttpRequest, because `fetch` doesn't report upload progress. */
function post<R extends UploadRoute>(
  route: R,
  { file, type = 'text/csv', params, query, onProgress, signal }: UploadOptions<R>,
  headers: Record<string, string>,
): Promise<Response> {
  const [method = '', path = ''] = route.split(' ')
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(new DOMException('', 'AbortError'))
    const xhr = new XMLHttpRequest()
    xhr.open(method, callUrl(path, scalars(params), scalars(query)))
    const all = { ...defaultHeaders(), ...headers, ...(type && { 'Content-Type': type }) }
    for (const [name, value] of Object.entries(all)) xhr.setRequestHeader(name, value)
    xhr.upload.onprogress = ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 0, loaded)
    xhr.onload = () => resolve(toResponse(xhr))
    xhr.onerror = () => reject(new ApiError('', { status: 0 }))
    xhr.onabort = () => reject(new DOMException('', 'AbortError'))
    const abort = () => xhr.abort()
    signal?.addEventListener('abort', abort)
    xhr.onloadend = () => signal?.removeEventListener('abort', abort)
    xhr.send(file)
  })
}

/** Query parameters are flat in every route, which generic types can't express. */
function scalars(values: unknown): Record<string, string | number | null | undefined> {
  return values as Record<string, string | number | null | undefined>
}

/** Converts to a `fetch` response, with the headers in use. */
export function toResponse(xhr: XMLHttpRequest): Response {
  const names = ['X-Request-Id', 'Retry-After']
  const headers = names.flatMap((name): [string, string][] => {
    const value = xhr.getResponseHeader(name)
    return value === null ? [] : [[name, value]]
  })
  return new Response(xhr.responseText, { status: xhr.status, statusText: xhr.statusText, headers })
}
