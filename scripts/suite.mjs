// A complete mail suite on this machine: the portal, Cyrus IMAP, Postfix, nginx and Roundcube. `npm run suite`.
import { build } from './build.mjs'

await build()
const program = new URL('../deploy/mail/dist/suite.js', import.meta.url)
// it starts itself again as the supervisor
process.argv[1] = program.pathname
await import(program.href)
