// Development: the server restarts and the browser reloads when a source changes. `npm run dev`.
import { spawn } from 'node:child_process'
import { watch } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createServer } from 'vite'
import { build } from './build.mjs'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const watched = ['packages/server/src', 'packages/media/src', 'packages/contract/src', 'themes']
/** Editors write several files at once; one restart is enough. */
const settle = 150

let server
let timer
let stopping = false

async function restart() {
  if (server !== undefined) {
    const gone = new Promise((resolve) => server.once('exit', resolve))
    server.kill('SIGTERM')
    await gone
  }
  if (stopping) return
  try {
    await build()
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
    return
  }
  server = spawn(process.execPath, ['--enable-source-maps', join(root, 'packages/server/dist/main.js')], {
    stdio: 'inherit',
    cwd: root,
    env: { ...process.env, VITE_DEV: '1', APP_URL: process.env.APP_URL ?? 'http://localhost:5173' },
  })
}

for (const folder of watched) {
  watch(join(root, folder), { recursive: true }, () => {
    clearTimeout(timer)
    timer = setTimeout(() => void restart(), settle)
  })
}

await restart()
const vite = await createServer({ root: join(root, 'packages/web') })
await vite.listen()
vite.printUrls()

for (const signal of ['SIGINT', 'SIGTERM']) {
  process.once(signal, async () => {
    stopping = true
    await vite.close()
    server?.kill('SIGTERM')
    server?.once('exit', () => process.exit())
  })
}
