import { createInterface } from 'node:readline'

import { startEmbeddedPostgres } from './embedded-postgres.ts'
import type { ChildOrder } from './test-support.ts'

// A process for the tests to share a server with and to kill: starts as ordered, says the address, stops
// when told so. The order is typed where it is written, in launchChild.
const order = JSON.parse(process.argv[2] ?? '') as ChildOrder

try {
  const server = await startEmbeddedPostgres({ ...order, log: () => undefined }, order.surroundings)
  process.stdout.write(`url ${server.url}\n`)
  for await (const line of createInterface({ input: process.stdin })) {
    if (line !== 'stop') continue
    await server.stop()
    process.stdout.write('stopped\n')
    break
  }
} catch (error) {
  process.stdout.write(`failed ${String(error)}\n`)
}
