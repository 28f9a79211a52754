import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { type AddressInfo, connect, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createServer } from 'node:tls'
import { promisify } from 'node:util'

/** A certificate for localhost that nobody trusts unless told to. */
export interface TestCertificate extends AsyncDisposable {
  readonly file: string
  readonly key: string
  readonly cert: string
}

export async function makeTestCertificate(): Promise<TestCertificate> {
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-import-'))
  const [keyFile, file] = [join(folder, 'key.pem'), join(folder, 'cert.pem')]
  await promisify(execFile)('openssl', [
    ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'],
    ...[
      '-subj',
      '/CN=localhost',
      '-addext',
      'subjectAltName=DNS:localhost',
      '-keyout',
      keyFile,
      '-out',
      file,
    ],
  ])
  return {
    file,
    key: await readFile(keyFile, 'utf8'),
    cert: await readFile(file, 'utf8'),
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  }
}

/** Adds encryption to a server without it, and breaks connections on demand. */
export interface EncryptedFront extends AsyncDisposable {
  readonly port: number
  /** The next connection breaks once the server has sent so many bytes. */
  breakAfter(bytes: number): void
  /** Bytes that the server has sent so far. */
  readonly sent: () => number
}

export async function startEncryptedFront(
  { key, cert }: TestCertificate,
  to: number,
): Promise<EncryptedFront> {
  const sockets = new Set<Socket>()
  let left = Number.POSITIVE_INFINITY
  let sent = 0
  const server = createServer({ key, cert }, (near) => {
    const far = connect(to, '127.0.0.1')
    const end = () => {
      near.destroy()
      far.destroy()
    }
    let mine = left
    left = Number.POSITIVE_INFINITY
    for (const socket of [near, far]) {
      sockets.add(socket)
      socket.on('error', end).on('close', end)
    }
    far.on('data', (chunk) => {
      mine -= chunk.length
      sent += chunk.length
      if (mine < 0) end()
    })
    near.pipe(far)
    far.pipe(near)
  })
  const port = await listening(server)
  return {
    port,
    breakAfter: (bytes) => {
      left = bytes
    },
    sent: () => sent,
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy()
      await new Promise((closed) => server.close(closed))
    },
  }
}

/** Listens on a free port of this machine. */
export async function listening(server: Server): Promise<number> {
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', () => ready()))
  const { port } = server.address() as AddressInfo // it listens on a port
  return port
}
