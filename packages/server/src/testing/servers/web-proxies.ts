import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { vi } from 'vitest'

/** A real reverse proxy with its sample configuration in `deploy/proxy`. */
export interface WebProxy {
  readonly name: string
  /** The Debian package. */
  readonly program: string
  readonly sample: string
  /** Buffers request bodies, except uploads, before forwarding them. */
  readonly holdsBodies: boolean
  /** Replacements in the sample; each text must exist. */
  readonly changes: (facts: ProxyFacts) => readonly (readonly [string, string])[]
  /** Wraps a sample that is only a part of a configuration. */
  readonly around?: (sample: string, facts: ProxyFacts) => string
  readonly arguments: (file: string) => readonly string[]
}

export interface ProxyFacts {
  readonly folder: string
  readonly portal: number
  readonly http: number
  readonly https: number
}

/** Startup timeout in milliseconds, long enough for a busy machine. */
const patience = 20_000

export const webProxies: readonly WebProxy[] = [
  {
    name: 'nginx',
    program: '/usr/sbin/nginx',
    sample: 'nginx.conf',
    holdsBodies: true,
    changes: ({ folder, portal, http, https }) => [
      ['127.0.0.1:8000', `127.0.0.1:${portal}`],
      ['listen 80;', `listen 127.0.0.1:${http};`],
      ['listen 443 ssl', `listen 127.0.0.1:${https} ssl`],
      ['  listen [::]:80;\n', ''],
      ['  listen [::]:443 ssl http2;\n', ''],
      ['/etc/ssl/gatehouse', folder],
      ['client_header_timeout 15s', 'client_header_timeout 1s'],
      ['client_body_timeout   30s', 'client_body_timeout   1s'],
    ],
    around: (sample, { folder }) => {
      const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
      return `
daemon off;
user root;
worker_processes 1;
pid ${folder}/nginx.pid;
events {}
http {
  access_log off;
  ${temporary.map((name) => `${name}_temp_path ${folder}/${name};`).join('\n  ')}
  ${sample}
}
`
    },
    arguments: (file) => ['-c', file, '-e', `${file}.log`],
  },
  {
    name: 'HAProxy',
    program: '/usr/sbin/haproxy',
    sample: 'haproxy.cfg',
    holdsBodies: true,
    changes: ({ folder, portal, http, https }) => [
      ['127.0.0.1:8000', `127.0.0.1:${portal}`],
      ['bind :80', `bind 127.0.0.1:${http}`],
      ['bind :443', `bind 127.0.0.1:${https}`],
      ['/etc/ssl/gatehouse', folder],
      ['timeout http-request 15s', 'timeout http-request 1s'],
      ['wait-for-body time 15s', 'wait-for-body time 1s'],
      // tests run no jobs, so the portal is never ready
      ['/api/health/readiness', '/api/health/liveness'],
    ],
    arguments: (file) => ['-db', '-f', file],
  },
  {
    name: 'Caddy',
    program: '/usr/bin/caddy',
    sample: 'Caddyfile',
    holdsBodies: false,
    changes: ({ folder, portal, http, https }) => [
      ['127.0.0.1:8000', `127.0.0.1:${portal}`],
      ['{\n\tservers {', `{\n\tadmin off\n\thttp_port ${http}\n\thttps_port ${https}\n\tservers {`],
      ['/etc/ssl/gatehouse', folder],
      ['read_header 15s', 'read_header 1s'],
    ],
    arguments: (file) => ['run', '--adapter', 'caddyfile', '--config', file],
  },
]

/** Whether the proxy is installed. */
export function isInstalled({ program }: WebProxy): boolean {
  return existsSync(program)
}

/** Starts a proxy in front of a portal, with a certificate for example.org. */
export async function startWebProxy(
  proxy: WebProxy,
  ports: Omit<ProxyFacts, 'folder'>,
): Promise<AsyncDisposable> {
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-proxy-'))
  const facts = { ...ports, folder }
  await makeCertificate(folder)
  const file = join(folder, 'configuration')
  await writeFile(file, await configuration(proxy, facts))
  const said: string[] = []
  const server = spawn(proxy.program, proxy.arguments(file), {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env.PATH, HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder },
  })
  for (const stream of [server.stdout, server.stderr]) stream.on('data', (text) => said.push(String(text)))
  const isUp = Promise.all(
    [ports.http, ports.https].map((port) => vi.waitFor(() => knock(port), { timeout: patience })),
  )
  await Promise.race([isUp, failed(server, said)])
  return {
    [Symbol.asyncDispose]: async () => {
      await ended(server)
      await rm(folder, { recursive: true, force: true })
    },
  }
}

async function configuration(proxy: WebProxy, facts: ProxyFacts): Promise<string> {
  const sample = new URL(`../../../../../deploy/proxy/${proxy.sample}`, import.meta.url)
  let text = await readFile(sample, 'utf8')
  for (const [from, to] of proxy.changes(facts)) {
    if (!text.includes(from)) throw new Error(`${proxy.sample} has no ${JSON.stringify(from)}`)
    text = text.replaceAll(from, to)
  }
  return proxy.around?.(text, facts) ?? text
}

/** Creates `fullchain.pem`, `privkey.pem`, and both in `gatehouse.pem`. */
async function makeCertificate(folder: string): Promise<void> {
  const key = join(folder, 'privkey.pem')
  const certificate = join(folder, 'fullchain.pem')
  const names = 'subjectAltName=DNS:example.org,DNS:*.example.org'
  await promisify(execFile)('openssl', [
    ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'],
    ...['-subj', '/CN=example.org', '-addext', names, '-keyout', key, '-out', certificate],
  ])
  const parts = await Promise.all([certificate, key].map((file) => readFile(file, 'utf8')))
  await writeFile(join(folder, 'gatehouse.pem'), parts.join(''))
}

function failed(server: ChildProcess, said: readonly string[]): Promise<never> {
  return new Promise((_resolve, reject) => {
    server.once('error', reject)
    server.once('exit', (code) => reject(new Error(`exited with ${String(code)}: ${said.join('')}`)))
  })
}

function ended(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null) return Promise.resolve()
  return new Promise((resolve) => {
    server.removeAllListeners('exit')
    server.once('exit', () => resolve())
    server.kill('SIGTERM')
  })
}

/** Rejects if nothing listens. */
function knock(port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy()
      resolve()
    })
    socket.once('error', reject)
  })
}
