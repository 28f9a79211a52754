import { authorised, type CallOptions, type RouteKey } from './api.ts'
import { requestFile } from './http.ts'
import { reportError } from './report-error.ts'

/**
 * Fetches a file with the session and saves it under the name that the server gave it. Failures are shown as a toast
 * and thrown.
 */
export async function download<R extends RouteKey>(route: R, options: CallOptions<R> = {}): Promise<void> {
  try {
    const { response, blob } = await authorised(options.headers, async (headers) => {
      const answer = await requestFile(route, { ...options, headers })
      return { response: answer, blob: await answer.blob() }
    })
    saveFile(blob, fileName(response.headers.get('Content-Disposition')))
  } catch (error) {
    if (!options.ignoreErrors) reportError(error)
    throw error
  }
}

/** Lets the browser save what we have. */
export function saveFile(blob: Blob, name: string): void {
  const url = URL.createObjectURL(blob)
  const link = document.createElement('a')
  link.href = url
  link.download = name
  document.body.append(link)
  link.click()
  link.remove()
  // The browser reads it after this task.
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}

/** The name in a Content-Disposition header, RFC 6266; "unknown" without one. */
export function fileName(header: string | null): string {
  const encoded = header && /filename\*=UTF-8''([^;]+)/i.exec(header)?.[1]
  if (encoded) {
    try {
      return decodeURIComponent(encoded.trim())
    } catch {
      // The plain name beside it is meant for this case.
    }
  }
  const [, quoted, bare] = /filename="([^"]*)"|filename=([^;\s]+)/i.exec(header ?? '') ?? []
  return quoted || bare || 'unknown'
}
