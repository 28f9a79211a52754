import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import pg from 'pg'
import type { Benchmark } from './result.ts'
import { databaseAddress, signIn, startServer } from './server-process.ts'

const events = 20_000
/** Objects that the events are about. */
const objects = 500

/** Delivery of events to a local receiver, by one server. */
export const eventDelivery: Benchmark = {
  name: 'events',
  async run() {
    const receiver = await startReceiver()
    await using server = await startServer(undefined, { WEBHOOK_TO_PRIVATE: '1' })
    const { access_token: token } = await signIn(server.url)
    const body = JSON.stringify({ name: 'Benchmark', url: receiver.url, types: ['user.updated'] })
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const made = await fetch(`${server.url}/api/v4/webhooks`, { method: 'POST', headers, body })
    if (!made.ok) throw new Error(`creating the webhook returned ${made.status}`)
    const began = performance.now()
    await logEvents(await databaseAddress(server.dataDir))
    const logged = Math.round(performance.now() - began)
    await receiver.done
    const seconds = (performance.now() - began) / 1000
    receiver.close()
    return [
      {
        what: `delivery of ${events.toLocaleString('en')} events to a webhook`,
        value: events / seconds,
        unit: 'events/s',
        bar: { at: 'least', limit: 500 },
        detail: `${seconds.toFixed(1)} s, of which ${logged} ms to log them`,
      },
    ]
  },
}

async function logEvents(connectionString: string): Promise<void> {
  const client = new pg.Client({ connectionString })
  await client.connect()
  await client.query(
    `insert into event_log (id, tenant_id, object_type, object_id, event, created_at, wallet_id)
    select gen_random_uuid(), u.tenant_id, 'benchmark', n % $2, 'user.updated', now(), w.id
    from users u join wallets w on w.user_id = u.id, generate_series(1, $1) n where u.email = 'owner@acme.test'`,
    [events, objects],
  )
  await client.end()
}

/** A receiver that has got everything when `done` resolves. */
async function startReceiver() {
  let received = 0
  let finish = () => {}
  const done = new Promise<void>((resolve) => {
    finish = resolve
  })
  const server = createServer((request, response) => {
    request.resume().once('end', () => {
      response.writeHead(204).end()
      received += 1
      if (received === events) finish()
    })
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const { port } = server.address() as AddressInfo // it listens on a port
  return { url: `http://127.0.0.1:${port}/`, done, close: () => server.close() }
}
