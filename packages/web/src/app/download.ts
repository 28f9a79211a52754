import { saveFile } from '../ui/save-file.ts'
import { type CallOptions, callFile, type RouteKey } from './api.ts'

/** Gets a file from the server and has the browser save it. Failures are handled as those of `call`. */
export async function download<R extends RouteKey>(
  route: R,
  options: Omit<CallOptions<R>, 'body'> = {},
): Promise<void> {
  const { content, name } = await callFile(route, options)
  saveFile(content, name)
}
