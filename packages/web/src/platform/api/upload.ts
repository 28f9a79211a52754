import type { RouteKey, Routes } from '@gatehouse/contract/routes'
import { type Answer, ApiError, authorised } from './api.ts'
import { callUrl, defaultHeaders, readError } from './http.ts'

type UploadRoute = Extract<
  RouteKey,
  'POST /api/v4/imports' | 'POST /api/v4/invitations/import' | 'POST /api/v4/fs' | 'PUT /api/v4/fs/{id}'
>

export interface UploadOptions<R extends UploadRoute> {
  file: Blob
  /** Its media type; empty: the server finds out. Default: a table. */
  type?: string
  params?: Routes[R]['params']
  /** Sent beside the file, in the address. */
  query: Routes[R]['body']
  headers?: Record<string, string>
  /** How much has been sent: from 0 to 1, and in bytes. */
  onProgress: (share: number, bytes: number) => void
  signal?: AbortSignal
}

/** Sends a file as it is. Failures are thrown only: the caller shows them beside the file. */
export function upload<R extends UploadRoute>(route: R, options: UploadOptions<R>): Promise<Answer<R>> {
  return authorised(options.headers, async (headers) => {
    const response = await post(route, options, headers)
    if (!response.ok) throw await readError(response)
    return response.json()
  })
}

/** `fetch` does not tell how much of a body has been sent. */
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

/** What stands in the address is flat in every route, which a generic type cannot tell. */
function scalars(values: unknown): Record<string, string | number | null | undefined> {
  return values as Record<string, string | number | null | undefined>
}

/** An answer as `fetch` gives it, with the headers that are read. */
export function toResponse(xhr: XMLHttpRequest): Response {
  const names = ['X-Request-Id', 'Retry-After']
  const headers = names.flatMap((name): [string, string][] => {
    const value = xhr.getResponseHeader(name)
    return value === null ? [] : [[name, value]]
  })
  return new Response(xhr.responseText, { status: xhr.status, statusText: xhr.statusText, headers })
}
