import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { access, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { request } from 'node:http'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { type Benchmark, median, type Result, spread } from './result.ts'
import { freePort, root, signIn, startServer, untilOutput } from './server-process.ts'

const mebibyte = 1024 * 1024
/** File size in bytes; `BENCH_FILES_MIB` sets a smaller one for a quick run. */
const size = Number(process.env.BENCH_FILES_MIB ?? '1024') * mebibyte
const rounds = Number(process.env.BENCH_FILES_ROUNDS ?? '3')
/** Memory growth, in MiB above the starting value, that still counts as flat. */
const flat = 100

/** Bytes transferred in each direction before measuring, to warm up both sides. */
const warmUp = 64 * mebibyte

/** A server that files are uploaded to and downloaded from. */
interface Place {
  /** PID of the measured process. */
  readonly pid: number
  readonly put: (bytes: number) => Promise<string>
  readonly get: (path: string, bytes: number) => Promise<void>
}

/** MiB per second and nanoseconds of CPU per byte, one value per round. */
interface Measured {
  readonly rate: number[]
  readonly cpu: number[]
}

interface Both {
  readonly up: Measured
  readonly down: Measured
}

/**
 * Uploads and downloads one large file, compared with the bare framework, which streams it to disk and back
 * with the same flush but neither encrypts nor hashes.
 */
export const files: Benchmark = {
  name: 'files',
  async run() {
    const folder = await mkdtemp(join(tmpdir(), 'gatehouse-bench-files-'))
    try {
      await using server = await startServer(undefined, { FILES_TRASH_DAYS: '0' })
      await using bare = await startBare(folder)
      const { access_token: token } = await signIn(server.url, 'owner@acme.test')
      const ours = gatehouse(server.url.replace('localhost', '127.0.0.1'), token, server.pid)
      const memory = watchMemory(server.pid)
      for (const place of [bare, ours]) await place.get(await place.put(warmUp), warmUp)
      const mine = nothingYet()
      const theirs = nothingYet()
      for (let round = 0; round < rounds; round++) {
        const both = [
          { place: bare, to: theirs },
          { place: ours, to: mine },
        ]
        // the second server of a round finds the disk in a different state, so they alternate
        for (const { place, to } of round % 2 === 0 ? both : both.reverse()) await measure(place, to)
      }
      const { first, highest } = await memory.stop()
      return [
        compare('upload of a file vs. a bare stream to disk', mine.up, theirs.up),
        compare('download of a file vs. a bare stream from disk', mine.down, theirs.down),
        {
          what: 'growth of the server’s memory',
          value: Math.max(0, highest - first),
          unit: 'MiB',
          bar: { at: 'most', limit: flat },
          detail: `from ${first.toFixed(0)} to at most ${highest.toFixed(0)} MiB resident; ${size / mebibyte} MiB, ${rounds} uploads and downloads`,
        },
        ...(await againstNginx(folder, mine)),
      ]
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  },
}

function nothingYet(): Both {
  return { up: { rate: [], cpu: [] }, down: { rate: [], cpu: [] } }
}

function compare(what: string, ours: Measured, bare: Measured): Result {
  const ratios = ours.rate.map((value, round) => value / (bare.rate[round] ?? Number.NaN))
  return {
    what,
    value: median(ratios),
    unit: '×',
    bar: { at: 'least', limit: 0.7 },
    detail: [
      `ratio ${spread(ratios)}`,
      `ours ${spread(ours.rate, 0)} MiB/s, bare ${spread(bare.rate, 0)} MiB/s`,
      `CPU of the server ${spread(ours.cpu)} ns per byte, bare ${spread(bare.cpu)}`,
      `load ${loadavg()[0]?.toFixed(1)}`,
    ].join('; '),
  }
}

/** Uploads and downloads one file. */
async function measure(place: Place, to: Both): Promise<void> {
  const path = await timed(place, to.up, () => place.put(size))
  await timed(place, to.down, () => place.get(path, size))
}

async function timed<T>({ pid }: Place, to: Measured, work: () => Promise<T>): Promise<T> {
  const cpu = await cpuSeconds(pid)
  const began = performance.now()
  const made = await work()
  to.rate.push(size / mebibyte / ((performance.now() - began) / 1000))
  to.cpu.push((((await cpuSeconds(pid)) - cpu) * 1e9) / size)
  return made
}

/** User and system CPU time of a process in seconds, at a resolution of 1/100 s. */
async function cpuSeconds(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) / 100
}

function gatehouse(url: string, token: string, pid: number): Place {
  const authorization = `Bearer ${token}`
  let made = 0
  return {
    pid,
    put: async (bytes) => {
      const address = `${url}/api/v4/fs?name=bench${++made}`
      const { id } = JSON.parse(await send('POST', address, bytes, { authorization })) as { id: string } // response
      return id
    },
    get: async (id, bytes) => {
      await receive(`${url}/api/v4/fs/${id}?download=1`, bytes, { authorization })
      // the next garbage collection purges the trash, so the disk needn't hold all rounds
      await send('DELETE', `${url}/api/v4/fs/${id}`, 0, { authorization })
      await send('DELETE', `${url}/api/v4/fs/trash/${id}`, 0, { authorization })
    },
  }
}

/** The bare framework, or another server that stores PUT bodies. */
function bareAt(url: string, pid: number): Place {
  return {
    pid,
    put: async (bytes) => {
      await send('PUT', `${url}/raw`, bytes)
      return '/raw'
    },
    get: (path, bytes) => receive(`${url}${path}`, bytes),
  }
}

/** Sends the given number of random bytes. Repeats one block, because no side compresses. */
async function send(
  method: string,
  url: string,
  bytes: number,
  headers: Record<string, string> = {},
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

async function receive(url: string, bytes: number, headers: Record<string, string> = {}): Promise<void> {
  const client = request(url, { headers }).end()
  const [response] = await once(client, 'response')
  let received = 0
  for await (const part of response) received += part.length
  if (received !== bytes) throw new Error(`${url}: ${response.statusCode}, ${received} bytes`)
}

async function startBare(folder: string): Promise<AsyncDisposable & Place> {
  const port = await freePort()
  const script = join(root, 'bench/dist/bare-files.js')
  const child = spawn(process.execPath, [script, folder, String(port)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await untilOutput(child, 'is ready')
  return { ...bareAt(`http://127.0.0.1:${port}`, child.pid ?? 0), [Symbol.asyncDispose]: () => end(child) }
}

async function end(child: ChildProcess): Promise<void> {
  const gone = once(child, 'exit')
  child.kill('SIGTERM')
  await gone
}

/**
 * Samples the resident memory of a process ten times a second; returns the first and the highest value in MiB.
 */
function watchMemory(pid: number): { readonly stop: () => Promise<{ first: number; highest: number }> } {
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
      return { first: await first, highest }
    },
  }
}

/** The same against nginx with its DAV module, if installed. For comparison only; it has no bar. */
async function againstNginx(folder: string, ours: Both): Promise<Result[]> {
  const program = '/usr/sbin/nginx'
  const isThere = await access(program).then(
    () => true,
    () => false,
  )
  if (!isThere) {
    process.stdout.write('nginx is not installed: skipping the comparison\n')
    return []
  }
  const port = await freePort()
  const place = join(folder, 'nginx')
  await mkdir(place, { recursive: true })
  await writeFile(join(place, 'nginx.conf'), nginxConfig(place, port))
  const child = spawn(program, ['-p', place, '-c', 'nginx.conf', '-g', 'daemon off;'], { stdio: 'ignore' })
  try {
    await untilListening(port)
    const theirs = nothingYet()
    for (let round = 0; round < rounds; round++)
      await measure(bareAt(`http://127.0.0.1:${port}`, child.pid ?? 0), theirs)
    return (['up', 'down'] as const).map((way) => ({
      what: `${way === 'up' ? 'upload' : 'download'} vs. nginx`,
      value: median(ours[way].rate) / median(theirs[way].rate),
      unit: '×',
      bar: { at: 'least', limit: 0 },
      detail: `nginx ${spread(theirs[way].rate, 0)} MiB/s without encryption, checksum, metadata or fsync; ours ${spread(ours[way].rate, 0)} MiB/s`,
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
