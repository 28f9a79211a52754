import { join } from 'node:path'

declare module 'vitest' {
  interface ProvidedContext {
    /** Folder of the server that loaded the demo. */
    demoFolder: string
  }
}

/**
 * Settings by which servers over copies of the demo's database find the content of its files: one folder, and the secret that
 * its keys are sealed with.
 */
export function demoContent(folder: string): Record<string, string> {
  return {
    FILES_FOLDER: join(folder, 'files'),
    SECRET_KEY: 'the secret of all servers of these browser tests',
  }
}
