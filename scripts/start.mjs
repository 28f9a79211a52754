// Builds what is outdated, then starts the server. `npm start`.
import { build } from './build.mjs'

process.env.GATEHOUSE_BUILD = await build()
await import('../packages/server/dist/main.js')
