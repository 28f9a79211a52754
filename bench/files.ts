import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { access, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { type Benchmark, median, type Result, spread } from './result.ts'
import { freePort, root, signIn, startServer, untilOutput } from './server-process.ts'

const mebibyte = 1024 * 1024
/** Bytes of the file; `BENCH_FILES_MIB` makes it smaller for a quick look. */
const size = Number(process.env.BENCH_FILES_MIB ?? '1024') * mebibyte
const rounds = Number(process.env.BENCH_FILES_ROUNDS ?? '3')
/** More memory than this, in MiB beyond what the server had before, is not flat. */
const flat = 100

/** Where a file goes and comes from. */
interface Place {
  readonly put: () => Promise<string>
  readonly get: (path: string) => Promise<void>
}

/** Up and down with one large file against the bare framework, which copies a stream to the disk and back. */
export const files: Benchmark = {
  name: 'files',
  async run() {
    const folder = await mkdtemp(join(tmpdir(), 'gatehouse-bench-files-'))
    try {
      await using server = await startServer(undefined, { FILES_TRASH_DAYS: '0' })
      await using bare = await startBare(folder)
      const { access_token: token } = await signIn(server.url, 'owner@acme.test')
      const ours = gatehouse(server.url.replace('localhost', '127.0.0.1'), token)
      const memory = watchMemory(server.pid)
      const up = { ours: [] as number[], bare: [] as number[] }
      const down = { ours: [] as number[], bare: [] as number[] }
      for (let round = 0; round < rounds; round++) {
        const theirs = await measure(bare)
        const mine = await measure(ours)
        up.bare.push(theirs.up)
        down.bare.push(theirs.down)
        up.ours.push(mine.up)
        down.ours.push(mine.down)
      }
      const grown = await memory.stop()
      return [
        compare('upload of a file vs. a bare stream to the disk', up),
        compare('download of a file vs. a bare stream from the disk', down),
        {
          what: 'memory that the server grows by',
          value: grown,
          unit: 'MiB',
          bar: { at: 'most', limit: flat },
          detail: `${size / mebibyte} MiB, ${rounds} times up and down`,
        },
        ...(await againstNginx(folder, { up: up.ours, down: down.ours })),
      ]
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  },
}

function compare(
  what: string,
  { ours, bare }: { readonly ours: readonly number[]; readonly bare: readonly number[] },
): Result {
  const ratios = ours.map((value, round) => value / (bare[round] ?? Number.NaN))
  return {
    what,
    value: median(ratios),
    unit: '×',
    bar: { at: 'least', limit: 0.7 },
    detail: `ratio ${spread(ratios)}; ours ${spread(ours, 0)} MiB/s, bare ${spread(bare, 0)} MiB/s`,
  }
}

/** MiB a second of one file up and down. */
async function measure({ put, get }: Place): Promise<{ up: number; down: number }> {
  const began = performance.now()
  const path = await put()
  const between = performance.now()
  await get(path)
  const rate = (ms: number) => size / mebibyte / (ms / 1000)
  return { up: rate(between - began), down: rate(performance.now() - between) }
}

function gatehouse(url: string, token: string): Place {
  const authorization = `Bearer ${token}`
  let made = 0
  return {
    put: async () => {
      const path = `/api/v4/fs?name=bench${++made}`
      const { id } = JSON.parse(await send('POST', `${url}${path}`, { authorization })) as { id: string } // of the wire
      return id
    },
    get: async (id) => {
      await receive(`${url}/api/v4/fs/${id}?download=1`, { authorization })
      // what is in the trash goes with the next collection of garbage; the disk need not hold all rounds
      await send('DELETE', `${url}/api/v4/fs/${id}`, { authorization }, 0)
      await send('DELETE', `${url}/api/v4/fs/trash/${id}`, { authorization }, 0)
    },
  }
}

/** The bare framework, or another server that stores what is put. */
function bareAt(url: string): Place {
  return {
    put: async () => {
      await send('PUT', `${url}/raw`)
      return '/raw'
    },
    get: (path) => receive(`${url}${path}`),
  }
}

/** Sends so many random bytes; the same block again and again, since nobody compresses. */
async function send(
  method: string,
  url: string,
  headers: Record<string, string> = {},
  bytes = size,
): Promise<string> {
  const block = randomBytes(mebibyte)
  const client = request(url, { method, headers: { ...headers, 'content-length': bytes } })
  const answered = once(client, 'response')
  async function* blocks() {
    for (let sent = 0; sent < bytes; sent += block.length) yield block
  }
  await pipeline(Readable.from(blocks(), { objectMode: false }), client)
  const [response] = await answered
  let text = ''
  for await (const part of response) text += part
  if (response.statusCode > 299) throw new Error(`${method} ${url}: ${response.statusCode} ${text}`)
  return text
}

async function receive(url: string, headers: Record<string, string> = {}): Promise<void> {
  const client = request(url, { headers }).end()
  const [response] = await once(client, 'response')
  let received = 0
  for await (const part of response) received += part.length
  if (received !== size) throw new Error(`${url}: ${response.statusCode}, ${received} bytes`)
}

async function startBare(folder: string): Promise<AsyncDisposable & Place> {
  const port = await freePort()
  const script = join(root, 'bench/dist/bare-files.js')
  const child = spawn(process.execPath, [script, folder, String(port)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await untilOutput(child, 'is ready')
  return { ...bareAt(`http://127.0.0.1:${port}`), [Symbol.asyncDispose]: () => end(child) }
}

async function end(child: ChildProcess): Promise<void> {
  const gone = once(child, 'exit')
  child.kill('SIGTERM')
  await gone
}

/** Looks at the resident memory of a process ten times a second; gives the MiB that it grew by at most. */
function watchMemory(pid: number): { readonly stop: () => Promise<number> } {
  const resident = async () => {
    const status = await readFile(`/proc/${pid}/status`, 'utf8')
    return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? '0') / 1024
  }
  let highest = 0
  const first = resident()
  const timer = setInterval(() => {
    void resident().then((now) => {
      highest = Math.max(highest, now)
    })
  }, 100)
  return {
    stop: async () => {
      clearInterval(timer)
      return Math.max(0, highest - (await first))
    },
  }
}

/** The same against nginx with its module for PUT, where it is installed; for comparison, without a bar to miss. */
async function againstNginx(
  folder: string,
  ours: { readonly up: readonly number[]; readonly down: readonly number[] },
): Promise<Result[]> {
  const program = '/usr/sbin/nginx'
  const isThere = await access(program).then(
    () => true,
    () => false,
  )
  if (!isThere) return []
  const port = await freePort()
  const place = join(folder, 'nginx')
  await mkdir(place, { recursive: true })
  await writeFile(join(place, 'nginx.conf'), nginxConfig(place, port))
  const child = spawn(program, ['-p', place, '-c', 'nginx.conf', '-g', 'daemon off;'], { stdio: 'ignore' })
  try {
    await untilListening(port)
    const measured = await measure(bareAt(`http://127.0.0.1:${port}`))
    return (['up', 'down'] as const).map((way) => ({
      what: `${way === 'up' ? 'upload' : 'download'} vs. nginx`,
      value: median(ours[way]) / measured[way],
      unit: '×',
      bar: { at: 'least', limit: 0 },
      detail: `nginx ${measured[way].toFixed(0)} MiB/s without encryption, checksum or record; ours ${spread(ours[way], 0)} MiB/s`,
    }))
  } finally {
    await end(child)
  }
}

function nginxConfig(place: string, port: number): string {
  return `user root; worker_processes 1; pid ${place}/pid; error_log ${place}/error.log;
    events {}
    http { access_log off; client_max_body_size 0; client_body_temp_path ${place}/tmp;
      server { listen 127.0.0.1:${port}; location / { root ${place}; dav_methods PUT; } } }`
}

async function untilListening(port: number): Promise<void> {
  for (;;) {
    const answered = await fetch(`http://127.0.0.1:${port}/`).then(
      () => true,
      () => false,
    )
    if (answered) return
    await new Promise((later) => setTimeout(later, 50))
  }
}
