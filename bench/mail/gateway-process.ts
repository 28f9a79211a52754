import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdir, readFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { DnsServer } from '../../packages/server/src/testing/servers/dns-server.ts'
import { databaseAddress, databaseProcess, freePort, type RunningServer, root } from '../server-process.ts'

/** Clock ticks per second in `/proc/<pid>/stat`. */
const clockTicks = 100
const longestStart = 30_000

export interface RunningGateway extends AsyncDisposable {
  readonly policyPort: number
  readonly milterPort: number
  /** Name server that the gateway asks. */
  readonly dns: DnsServer
  /** Seconds of processor time used so far. */
  cpuTime(): Promise<number>
}

/** Starts a mail gateway on the database of a running server. */
export async function startGateway(
  server: RunningServer,
  env: Record<string, string> = {},
): Promise<RunningGateway> {
  const dns = await DnsServer.start()
  const [policyPort, milterPort] = [await freePort(), await freePort()]
  const flags = process.env.BENCH_PROFILE === undefined ? [] : ['--cpu-prof', '--cpu-prof-dir=/tmp/profiles']
  // as the server starts it
  const child = spawn(
    process.execPath,
    ['--max-semi-space-size=64', ...flags, join(root, 'packages/server/dist/gateway.js')],
    {
      cwd: root,
      stdio: ['ignore', 'ignore', 'inherit'],
      env: {
        ...process.env,
        ...{ DATA_DIR: server.dataDir, GATEHOUSE_DATABASE: await databaseAddress(server.dataDir) },
        ...{ DNS_SERVERS: dns.address, LOG_LEVEL: 'silent', APP_URL: server.url },
        MAIL_GATEWAY_POLICY: `127.0.0.1:${policyPort}`,
        MAIL_GATEWAY_MILTER: `127.0.0.1:${milterPort}`,
        MAIL_GATEWAY_SOCKETMAP: 'off',
        ...env,
      },
    },
  )
  await untilListening(milterPort)
  return {
    ...{ policyPort, milterPort, dns },
    cpuTime: () => cpuTime(child.pid ?? 0),
    [Symbol.asyncDispose]: async () => {
      const gone = once(child, 'exit')
      child.kill('SIGTERM')
      await gone
      await dns[Symbol.asyncDispose]()
    },
  }
}

/** Waits until a program accepts connections. */
export async function untilListening(port: number): Promise<void> {
  const until = performance.now() + longestStart
  for (;;) {
    const socket = connect({ port, host: '127.0.0.1' })
    const isOpen = await new Promise<boolean>((resolve) => {
      socket.once('connect', () => resolve(true))
      socket.once('error', () => resolve(false))
    })
    socket.destroy()
    if (isOpen) return
    if (performance.now() > until) throw new Error(`nothing listens on port ${port}`)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

/** Seconds of processor time that a process has used. */
export async function cpuTime(pid: number): Promise<number> {
  const fields = await processFields(pid)
  return (Number(fields[11]) + Number(fields[12])) / clockTicks
}

/** Seconds of processor time that the database of a server has used: its running processes and those that ended. */
export async function databaseCpuTime({ dataDir }: RunningServer): Promise<number> {
  const postmaster = await databaseProcess(dataDir)
  let ticks = 0
  for (const entry of await readdir('/proc')) {
    if (!/^\d+$/.test(entry)) continue
    // a process may end meanwhile
    const fields = await processFields(Number(entry)).catch(() => [])
    const isMain = Number(entry) === postmaster
    if (!isMain && Number(fields[1]) !== postmaster) continue
    ticks += Number(fields[11]) + Number(fields[12]) + (isMain ? Number(fields[13]) + Number(fields[14]) : 0)
  }
  return ticks / clockTicks
}

/** What `/proc/<pid>/stat` tells after the name of the program. */
async function processFields(pid: number): Promise<readonly string[]> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8')
  return text.slice(text.lastIndexOf(') ') + 2).split(' ')
}
