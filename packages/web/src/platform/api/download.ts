import { saveFile } from '../../ui/save-file.ts'
import { type CallOptions, callFile, type RouteKey } from './api.ts'

/**
 * Fetches a file with the session's tokens and makes the browser save it under the name given by the server.
 * Failures are shown as a toast, unless `ignoreErrors`, and thrown.
 */
export async function download<R extends RouteKey>(
  route: R,
  options: Omit<CallOptions<R>, 'body'> = {},
): Promise<void> {
  const { content, name } = await callFile(route, options)
  saveFile(content, name)
}
