import { createInterface } from 'node:readline'

import { startEmbeddedPostgres } from '../embedded-postgres.ts'
import type { ChildOrder } from './test-support.ts'

// A process with which tests share a server and which they kill: starts a server as instructed, prints its
// URL, and stops on command. The instructions are typed in launchChild, which writes them.
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
