import { join } from 'node:path'

declare module 'vitest' {
  interface ProvidedContext {
    /** Data folder of the server that loaded the demo. */
    demoFolder: string
  }
}

/**
 * Settings that let servers with copies of the demo's database find its file contents: the shared folder, and
 * the secret that its keys are sealed with.
 */
export function demoContent(folder: string): Record<string, string> {
  return {
    FILES_FOLDER: join(folder, 'files'),
    SECRET_KEY: 'the secret of all servers of these browser tests',
  }
}
