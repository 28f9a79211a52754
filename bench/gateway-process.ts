import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { DnsServer } from '../packages/server/src/testing/servers/dns-server.ts'
import { databaseAddress, freePort, type RunningServer, root } from './server-process.ts'

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
  const fields = (await readFile(`/proc/${pid}/stat`, 'utf8')).split(') ')[1]?.split(' ') ?? []
  return (Number(fields[11]) + Number(fields[12])) / clockTicks
}
