import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { MilterClient, say } from '../../packages/server/src/mailflow/protocols/testing/milter-client.ts'
import { type Benchmark, median, percentile, spread } from '../result.ts'
import { databaseAddress, type RunningServer, root, startServer } from '../server-process.ts'
import { type RunningGateway, startGateway } from './gateway-process.ts'

const run = promisify(execFile)
const rounds = 3
const seconds = Number(process.env.BENCH_SECONDS ?? 8)
const connections = 16
const user = 'jane@acme.test'
const bytes = 10_000
/** Kept open for 50 messages each, as Postfix's processes do. */
const messagesPerConnection = 50

/** Outgoing messages of 10 kB: sender check and DKIM signatures with RSA and Ed25519. */
export const milter: Benchmark = {
  name: 'milter',
  async run() {
    await using server = await startServer()
    await addKeys(server)
    await using gateway = await startGateway(server, { MAILFLOW_AUTHSERV_ID: 'mx.test' })
    const found: Measured[] = []
    for (let round = 0; round <= rounds; round++) {
      const measured = await measure(gateway)
      // the first round warms up
      if (round > 0) found.push(measured)
    }
    const rates = found.map(({ rate }) => rate)
    const late = found.map(({ latencies }) => percentile(latencies, 0.99))
    return [
      {
        what: 'messages of 10 kB through the milter, signed',
        value: median(rates),
        unit: '/s',
        bar: { at: 'least', limit: 300 },
        detail: `${spread(rates, 0)}/s over ${connections} connections, p99 ${spread(late, 0)} ms; ${spread(found.map(({ cpu }) => cpu))} ms of processor time each, RSA and Ed25519 signatures included`,
      },
    ]
  },
}

interface Measured {
  /** Messages per second. */
  readonly rate: number
  /** Milliseconds. */
  readonly latencies: readonly number[]
  /** Milliseconds of processor time for each message. */
  readonly cpu: number
}

/** Gives the domain keys that sign now, without waiting for the DNS. */
async function addKeys({ dataDir }: RunningServer): Promise<void> {
  const client = new pg.Client({ connectionString: await databaseAddress(dataDir) })
  await client.connect()
  try {
    await client.query(`update domains set status = status | 16 where namespace = 'acme.test'`)
    const env = { ...process.env, DATA_DIR: dataDir, DATABASE_URL: await databaseAddress(dataDir) }
    const cli = join(root, 'packages/server/dist/cli.js')
    await run(process.execPath, [cli, 'dkim:rotate', 'acme.test', 'benchmark'], { env, cwd: root })
    await client.query(`update dkim_keys set state = 'active', visible_since = now() - interval '2 days'`)
  } finally {
    await client.end()
  }
}

async function measure(gateway: RunningGateway): Promise<Measured> {
  const latencies: number[] = []
  const [began, used] = [performance.now(), await gateway.cpuTime()]
  const until = began + seconds * 1000
  await Promise.all(
    Array.from({ length: connections }, async () => {
      while (performance.now() < until) {
        const client = await MilterClient.connect(gateway.milterPort)
        client.send(say.connect(), say.helo())
        for (let count = 0; count < messagesPerConnection && performance.now() < until; count++) {
          const asked = performance.now()
          await sendMessage(client)
          latencies.push(performance.now() - asked)
        }
        client.send(say.quit())
      }
    }),
  )
  const spent = (performance.now() - began) / 1000
  const cpu = (((await gateway.cpuTime()) - used) * 1000) / latencies.length
  return { rate: latencies.length / spent, latencies, cpu }
}

const line = `${'Lorem ipsum dolor sit amet, consectetur adipiscing elit. '.repeat(2).trim()}\r\n`
const text = line.repeat(Math.ceil(bytes / line.length))

/** Throws if the message wasn't signed twice. */
async function sendMessage(client: MilterClient): Promise<void> {
  client.send(say.macros('M', { '{auth_authen}': user }), say.mail(user), say.recipient('ann@partner.test'))
  client.send(say.header('From', ` Jane <${user}>`), say.header('To', ' ann@partner.test'))
  client.send(say.header('Subject', ' Hello'), say.header('Date', ' Thu, 26 Nov 2026 10:00:00 +0000'))
  client.send(say.header('Message-ID', ` <${Math.random()}@acme.test>`), say.endOfHeaders())
  // each chunk is answered, which slows clients that are too fast
  await client.ask(say.body(text))
  client.send(say.end())
  const replies = await client.verdict()
  const signatures = replies.filter((reply) => reply.includes('DKIM-Signature'))
  if (signatures.length !== 2) throw new Error(`signed ${signatures.length} times: ${replies.join(' ')}`)
}
