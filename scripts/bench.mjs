// Benchmarks: `npm run bench [name …]`.
import { spawn } from 'node:child_process'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build as bundle } from 'esbuild'
import { build } from './build.mjs'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
await build()
await bundle({
  entryPoints: ['main', 'baseline-server', 'bare-files'].map((name) => join(root, `bench/${name}.ts`)),
  outdir: join(root, 'bench/dist'),
  bundle: true,
  platform: 'node',
  target: 'node20',
  format: 'esm',
  packages: 'external',
  // our own packages are loaded from source
  alias: {
    '@gatehouse/contract': join(root, 'packages/contract/src'),
    '@gatehouse/mail': join(root, 'deploy/mail'),
  },
  logLevel: 'warning',
})
const child = spawn(process.execPath, [join(root, 'bench/dist/main.js'), ...process.argv.slice(2)], {
  stdio: 'inherit',
})
child.once('exit', (code) => {
  process.exitCode = code ?? 1
})
