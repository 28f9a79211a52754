import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Benchmark, median, percentile, type Result, spread } from '../result.ts'
import { freePort, startServer } from '../server-process.ts'
import { cpuTime, databaseCpuTime, startGateway, untilListening } from './gateway-process.ts'
import { type Attributes, MailTraffic, populate, population } from './mail-population.ts'

const postgrey = '/usr/sbin/postgrey'
const rounds = 3
const seconds = Number(process.env.BENCH_SECONDS ?? 10)
const connections = Number(process.env.BENCH_CONNECTIONS ?? 60)
/** A limit that no user reaches, because held mail isn't what is measured. */
const unlimited = Array.from({ length: 4 }, () => '9000000').join(',')

/** Answers of the gateway to Postfix's policy protocol, beside those of Debian's greylisting daemon. */
export const policy: Benchmark = {
  name: 'policy',
  async run() {
    await using server = await startServer()
    await populate(server)
    const limits = ['USER_UNPAID', 'USER_PAYING', 'ACCOUNT_UNPAID', 'ACCOUNT_PAYING']
    const settings = Object.fromEntries(limits.map((name) => [`RATELIMIT_${name}`, unlimited]))
    await using started = await startGateway(server, settings)
    const gateway = { ...started, databaseTime: () => databaseCpuTime(server) }
    for (let sender = 0; sender < population.senders; sender++) gateway.dns.zone(`s${sender}.test`)
    await using other = existsSync(postgrey) ? await startPostgrey() : undefined
    if (other === undefined) process.stdout.write('postgrey is not installed: skipping the comparison\n')
    const mixed: Measured[] = []
    const greylisted: Measured[] = []
    const compared: Measured[] = []
    for (let round = 0; round <= rounds; round++) {
      const name = String.fromCharCode(97 + round)
      const a = await measure(gateway, new MailTraffic(`m${name}`, round + 1), (traffic) => traffic.message())
      const b = await measure(gateway, new MailTraffic(`g${name}`, round + 11), (traffic) =>
        traffic.incoming(),
      )
      const same = new MailTraffic(`g${name}`, round + 11)
      const c = other && (await measure(other, same, (traffic) => traffic.incoming()))
      // the first round warms up all sides
      if (round === 0) continue
      mixed.push(a)
      greylisted.push(b)
      if (c !== undefined) compared.push(c)
    }
    return [...resultsOf(mixed), ...comparison(greylisted, compared)]
  },
}

function resultsOf(found: readonly Measured[]): Result[] {
  const rates = found.map(({ rate }) => rate)
  const detail = `${spread(rates, 0)}/s over ${connections} connections; processor time of each: ${costs(found)}; ${describe(found)}`
  const late = found.map(({ latencies }) => percentile(latencies, 0.99))
  const middle = found.map(({ latencies }) => median(latencies))
  return [
    {
      what: 'policy decisions of one gateway process',
      value: median(rates),
      unit: '/s',
      bar: { at: 'least', limit: 5000 },
      detail,
    },
    {
      what: 'policy decisions, p99',
      value: median(late),
      unit: 'ms',
      bar: { at: 'most', limit: 20 },
      detail: `p50 ${spread(middle)} ms, p99 ${spread(late)} ms`,
    },
  ]
}

/** Processor time of the three sides, which share the machine. */
function costs(found: readonly Measured[]): string {
  const share = (of: (one: Measured) => number) => `${median(found.map(of)).toFixed(0)} µs`
  const [own, database, load] = [
    share(({ cpu }) => cpu),
    share((one) => one.database),
    share((one) => one.load),
  ]
  return `gateway ${own}, database ${database}, load generator ${load}`
}

function comparison(ours: readonly Measured[], theirs: readonly Measured[]): Result[] {
  if (theirs.length === 0) return []
  const ratios = ours.map(({ rate }, round) => rate / (theirs[round]?.rate ?? Number.NaN))
  const side = (found: readonly Measured[]) =>
    `${spread(
      found.map(({ rate }) => rate),
      0,
    )}/s (p99 ${median(found.map(({ latencies }) => percentile(latencies, 0.99))).toFixed(1)} ms, ${median(found.map(({ cpu }) => cpu)).toFixed(0)} µs each)`
  return [
    {
      what: 'greylisting decisions vs. postgrey',
      value: median(ratios),
      unit: '×',
      bar: { at: 'least', limit: 1 },
      detail: `ratio ${spread(ratios)}; ours ${side(ours)}, with SPF and lists, in PostgreSQL; postgrey ${side(theirs)}, in Berkeley DB`,
    },
  ]
}

interface Measured {
  /** Answers per second. */
  readonly rate: number
  /** Milliseconds. */
  readonly latencies: readonly number[]
  /** Microseconds of processor time for each answer: of the measured process, its database, and this one. */
  readonly cpu: number
  readonly database: number
  readonly load: number
  readonly actions: ReadonlyMap<string, number>
}

function describe(found: readonly Measured[]): string {
  const [first] = found
  return [...(first?.actions ?? [])].map(([action, count]) => `${count} ${action}`).join(', ')
}

interface Target {
  readonly policyPort: number
  /** Seconds of processor time so far. */
  readonly cpuTime: () => Promise<number>
  /** Absent: it has no database of its own. */
  readonly databaseTime?: () => Promise<number>
}

/** Seconds of processor time so far: of the target, its database, and this process. */
async function usedBy({ cpuTime, databaseTime }: Target) {
  const { user, system } = process.cpuUsage()
  return { cpu: await cpuTime(), database: (await databaseTime?.()) ?? 0, load: (user + system) / 1_000_000 }
}

/** Asks over several connections, each of which waits for its answer, as Postfix does. */
async function measure(
  target: Target,
  traffic: MailTraffic,
  next: (traffic: MailTraffic) => Attributes[],
): Promise<Measured> {
  const latencies: number[] = []
  const actions = new Map<string, number>()
  const [before, began] = [await usedBy(target), performance.now()]
  const until = began + seconds * 1000
  await Promise.all(
    Array.from({ length: connections }, async () => {
      const client = await PolicyClient.connect(target.policyPort)
      while (performance.now() < until) {
        for (const request of next(traffic)) {
          const asked = performance.now()
          const action = await client.ask(request)
          latencies.push(performance.now() - asked)
          const kind = kindOf(action)
          actions.set(kind, (actions.get(kind) ?? 0) + 1)
        }
      }
      client.close()
    }),
  )
  const spent = (performance.now() - began) / 1000
  const after = await usedBy(target)
  const each = (side: keyof typeof after) => ((after[side] - before[side]) * 1_000_000) / latencies.length
  return {
    rate: latencies.length / spent,
    latencies,
    actions,
    ...{ cpu: each('cpu'), database: each('database'), load: each('load') },
  }
}

/** `450 [G1]`, `PREPEND` or `DUNNO`. Throws if the gateway could not decide. */
function kindOf(action: string): string {
  if (action.includes('unavailable')) throw new Error(action)
  const [verb = ''] = action.split(' ')
  const code = /\[\w+\]$/.exec(action)?.[0]
  return code === undefined ? verb : `${verb} ${code}`
}

/** Postfix's side of a connection. */
class PolicyClient {
  readonly #socket
  #received = ''
  #answer: (action: string) => void = () => undefined
  #fail: (error: Error) => void = () => undefined

  private constructor(port: number) {
    this.#socket = connect({ port, host: '127.0.0.1', noDelay: true })
    this.#socket.setEncoding('latin1')
    this.#socket.on('data', (chunk: string) => {
      this.#received += chunk
      if (!this.#received.endsWith('\n\n')) return
      const action = this.#received.slice('action='.length, -2)
      this.#received = ''
      this.#answer(action)
    })
    this.#socket.on('close', () => this.#fail(new Error('the connection was closed')))
  }

  static async connect(port: number): Promise<PolicyClient> {
    const client = new PolicyClient(port)
    await once(client.#socket, 'connect')
    return client
  }

  ask(request: Attributes): Promise<string> {
    let text = ''
    for (const [name, value] of Object.entries(request)) text += `${name}=${value}\n`
    return new Promise((resolve, reject) => {
      this.#answer = resolve
      this.#fail = reject
      this.#socket.write(`${text}\n`)
    })
  }

  close(): void {
    this.#fail = () => undefined
    this.#socket.end()
  }
}

async function startPostgrey() {
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-postgrey-'))
  await chmod(folder, 0o777)
  const policyPort = await freePort()
  const child = spawn(postgrey, [`--inet=127.0.0.1:${policyPort}`, `--dbdir=${folder}`], { stdio: 'ignore' })
  await untilListening(policyPort)
  return {
    policyPort,
    cpuTime: () => cpuTime(child.pid ?? 0),
    [Symbol.asyncDispose]: async () => {
      const gone = once(child, 'exit')
      child.kill('SIGTERM')
      await gone
      await rm(folder, { recursive: true, force: true })
    },
  }
}
