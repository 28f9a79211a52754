import { existsSync } from 'node:fs'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { createServer, type Server } from 'node:net'
import { join } from 'node:path'
import { cyrusPaths } from '@gatehouse/mail/cyrus/cyrus-description'
import { canRunCyrus, killCyrus, startCyrus, stopCyrus } from '@gatehouse/mail/cyrus/run-cyrus'
import { freePort } from '../free-port.ts'

/** Whether tests can start Cyrus IMAP here. */
export const hasCyrus = canRunCyrus

/** Password of every user of the instance. */
export const cyrusPassword = 'a password of the mail store'

/** In memory, if there is such a folder. The folder for temporary files can't be entered by other users. */
const base = existsSync('/dev/shm') ? '/dev/shm' : '/var/tmp'

/** A Cyrus IMAP server of one test file. */
export interface TestCyrus extends AsyncDisposable {
  readonly folder: string
  readonly ports: {
    readonly imap: number
    readonly http: number
    readonly sieve: number
    readonly lmtp: number
  }
  readonly admin: { readonly name: string; readonly password: string }
  readonly tokenKeyFile: string
  /** Kills all its processes. */
  kill(): Promise<void>
  stop(): Promise<void>
  /** Starts it again with the same data. */
  start(): Promise<void>
}

export interface TestCyrusOptions {
  /** `address:port` of the SMTP server for mail from Sieve scripts. */
  readonly relay?: string
}

/** Starts a Cyrus IMAP server with empty data that accepts `cyrusPassword` for every user. */
export async function startTestCyrus({ relay }: TestCyrusOptions = {}): Promise<TestCyrus> {
  const folder = await mkdtemp(join(base, 'gatehouse-cyrus-'))
  await chmod(folder, 0o755)
  const ports = {
    imap: await freePort(),
    http: await freePort(),
    sieve: await freePort(),
    lmtp: await freePort(),
  }
  const admin = { name: 'cyrus-admin', password: 'secret of the admin' }
  const authSocket = join(folder, 'auth')
  const description = {
    ...{ folder: join(folder, 'cyrus'), hostname: 'mail.gatehouse.test', admin, authSocket },
    listen: {
      ...{ imap: `127.0.0.1:${ports.imap}`, http: `127.0.0.1:${ports.http}` },
      ...{ sieve: `127.0.0.1:${ports.sieve}`, lmtp: `127.0.0.1:${ports.lmtp}` },
    },
    isDisposable: true,
    ...(relay !== undefined && { relay }),
  }
  const auth = await startAuth(authSocket)
  const start = () => startCyrus(description)
  await start()
  return {
    folder: description.folder,
    ports,
    admin,
    tokenKeyFile: cyrusPaths(description.folder).tokenKey,
    kill: () => killCyrus(description.folder),
    stop: () => stopCyrus(description.folder),
    start,
    [Symbol.asyncDispose]: async () => {
      await stopCyrus(description.folder)
      auth.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** Answers in the protocol of saslauthd: four counted strings, login, password, service and realm. */
async function startAuth(path: string): Promise<Server> {
  const server = createServer((socket) => {
    let received = Buffer.alloc(0)
    socket.on('error', () => socket.destroy())
    socket.on('data', (chunk) => {
      received = Buffer.concat([received, chunk])
      const [, password, , realm] = countedStrings(received)
      if (realm === undefined) return
      // users have an address, the admin doesn't
      socket.end(password === cyrusPassword && realm !== '' ? '\0\x02OK' : '\0\x02NO')
    })
  })
  await new Promise<void>((listening) => server.listen(path, listening))
  await chmod(path, 0o666)
  return server
}

function countedStrings(bytes: Buffer): string[] {
  const texts: string[] = []
  let at = 0
  while (at + 2 <= bytes.length) {
    const end = at + 2 + bytes.readUInt16BE(at)
    if (end > bytes.length) break
    texts.push(bytes.toString('utf8', at + 2, end))
    at = end
  }
  return texts
}
