import type { RouteKey, Routes } from '@gatehouse/contract/routes'
import { type Answer, ApiError, authorised } from './api.ts'
import { callUrl, defaultHeaders, readError } from './http.ts'

type UploadRoute = Extract<RouteKey, 'POST /api/v4/imports' | 'POST /api/v4/invitations/import'>

export interface UploadOptions<R extends UploadRoute> {
  file: File
  /** Sent beside the file, in the address. */
  query: Routes[R]['body']
  /** How much has been sent, from 0 to 1. */
  onProgress: (share: number) => void
  signal?: AbortSignal
}

/** Sends a file as it is. Failures are thrown only: the caller shows them beside the file. */
export function upload<R extends UploadRoute>(route: R, options: UploadOptions<R>): Promise<Answer<R>> {
  return authorised(undefined, async (headers) => {
    const response = await post(route, options, headers)
    if (!response.ok) throw await readError(response)
    return response.json()
  })
}

/** `fetch` does not tell how much of a body has been sent. */
function post<R extends UploadRoute>(
  route: R,
  { file, query, onProgress, signal }: UploadOptions<R>,
  headers: Record<string, string>,
): Promise<Response> {
  const [method = '', path = ''] = route.split(' ')
  return new Promise((resolve, reject) => {
    const xhr = new XMLHttpRequest()
    xhr.open(method, callUrl(path, {}, query))
    for (const [name, value] of Object.entries({
      ...defaultHeaders(),
      ...headers,
      'Content-Type': 'text/csv',
    }))
      xhr.setRequestHeader(name, value)
    xhr.upload.onprogress = ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 0)
    xhr.onload = () => resolve(toResponse(xhr))
    xhr.onerror = () => reject(new ApiError('', { status: 0 }))
    xhr.onabort = () => reject(new DOMException('', 'AbortError'))
    signal?.addEventListener('abort', () => xhr.abort())
    xhr.send(file)
  })
}

function toResponse(xhr: XMLHttpRequest): Response {
  const names = ['X-Request-Id', 'Retry-After']
  const headers = names.flatMap((name): [string, string][] => {
    const value = xhr.getResponseHeader(name)
    return value === null ? [] : [[name, value]]
  })
  return new Response(xhr.responseText, { status: xhr.status, statusText: xhr.statusText, headers })
}
