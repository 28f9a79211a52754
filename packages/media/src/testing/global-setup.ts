import { execFile } from 'node:child_process'
import { resolve } from 'node:path'
import { promisify } from 'node:util'

/** Builds the engines before the tests, because they run in separate processes. */
export default async function setup(): Promise<void> {
  const root = resolve(import.meta.dirname, '../../../..')
  const script = `import { build } from ${JSON.stringify(`file://${root}/scripts/build.mjs`)}; await build(['media'])`
  await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', script], { cwd: root })
}
