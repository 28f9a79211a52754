import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import type { Benchmark } from './result.ts'
import { root, startServer } from './server-process.ts'

/** JavaScript and style sheets that the sign-in page loads before it's usable, gzipped. */
export const firstLoad: Benchmark = {
  name: 'first-load',
  async run() {
    await using server = await startServer()
    const html = await (await fetch(`${server.url}/login`)).text()
    const named = [...html.matchAll(/(?:href|src)="(\/assets\/[^"]+\.(?:js|css))"/g)].map(
      (match) => match[1] ?? '',
    )
    const files = [...new Set(named)]
    const sizes = await Promise.all(
      files.map(async (file) => ({
        file,
        bytes: gzipSync(await readFile(join(root, 'packages/web/dist', file)), { level: 9 }).length,
      })),
    )
    const total = sizes.reduce((sum, { bytes }) => sum + bytes, 0)
    const largest = sizes
      .sort((a, b) => b.bytes - a.bytes)
      .slice(0, 5)
      .map(({ file, bytes }) => `${file.replace('/assets/', '')} ${(bytes / 1000).toFixed(1)}`)
    return [
      {
        what: 'login page, JS and CSS, gzip',
        value: total / 1000,
        unit: 'kB',
        bar: { at: 'most', limit: 140 },
        detail: `${files.length} files; ${largest.join(', ')}`,
      },
    ]
  },
}
