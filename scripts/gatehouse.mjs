// The operator's command line: `npm run gatehouse -- <noun>:<verb> …`.
import { build } from './build.mjs'

await build()
await import('../packages/server/dist/cli.js')
