import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'

/** Whether Prometheus' own checker is installed (Debian package `prometheus`). */
export const hasPromtool = spawnSync('promtool', ['--version']).status === 0

/** Runs `promtool` and returns what it says; throws that if it finds an error. */
export async function promtool(args: readonly string[], input = ''): Promise<string> {
  const child = spawn('promtool', args)
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (said += String(chunk)))
  child.stdin.end(input)
  const [code] = await once(child, 'close')
  if (code !== 0) throw new Error(said)
  return said
}
