import { saveFile } from '../../ui/save-file.ts'
import { type CallOptions, callFile, type RouteKey } from './api.ts'

/**
 * Fetches a file with the session and has the browser save it under the name that the server gave it. Failures are
 * shown as a toast, unless `ignoreErrors`, and thrown.
 */
export async function download<R extends RouteKey>(
  route: R,
  options: Omit<CallOptions<R>, 'body'> = {},
): Promise<void> {
  const { content, name } = await callFile(route, options)
  saveFile(content, name)
}
