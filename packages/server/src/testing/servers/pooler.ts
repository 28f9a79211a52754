import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { chmod, mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parse } from 'pg-connection-string'
import { freePort } from '../free-port.ts'

const program = '/usr/sbin/pgbouncer'

/** Whether Debian's PgBouncer is installed. */
export const hasPooler = existsSync(program)

/** PgBouncer in transaction mode: each transaction may get another connection to PostgreSQL. */
export interface Pooler extends AsyncDisposable {
  /** The address of a database of PostgreSQL through the pooler. */
  urlOf(url: string): string
}

/** Starts it before the server of a URL, with few connections, so that clients have to share them. */
export async function startPooler(url: string): Promise<Pooler> {
  const { host, port, user, password } = parse(url)
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-pooler-'))
  const listen = await freePort()
  const file = join(folder, 'pgbouncer.ini')
  await writeFile(
    file,
    `[databases]
* = host=${host} port=${port ?? 5432} user=${user} ${password ? `password=${password}` : ''}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${listen}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = 3
max_client_conn = 200
`,
  )
  await chmod(folder, 0o755)
  // it refuses to run as root; only the user of PostgreSQL reaches the socket of an embedded one
  const owner = host?.startsWith('/') ? await stat(host) : { uid: 65_534, gid: 65_534 }
  const identity = process.getuid?.() === 0 ? { uid: owner.uid, gid: owner.gid } : {}
  const child = spawn(program, [file], { ...identity, stdio: ['ignore', 'ignore', 'pipe'] })
  await started(child)
  return {
    urlOf: (direct) => `postgres://${user}@127.0.0.1:${listen}/${parse(direct).database}`,
    async [Symbol.asyncDispose]() {
      const ended = once(child, 'exit')
      child.kill('SIGKILL')
      await ended
      await rm(folder, { recursive: true, force: true })
    },
  }
}

function started(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    let said = ''
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      said += text
      if (said.includes('process up')) resolve()
    })
    child.once('exit', () => reject(new Error(`PgBouncer ended: ${said}`)))
    child.once('error', reject)
  })
}
