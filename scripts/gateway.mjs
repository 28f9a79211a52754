// Builds what is outdated, then starts the mail gateway on its own. `npm run gateway`.
import { build } from './build.mjs'

await build(['server'])
await import('../packages/server/dist/gateway.js')
