import { type ChildProcess, spawn } from 'node:child_process'
import { chmod, cp, lstat, mkdir, mkdtemp, readdir, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface, type Interface } from 'node:readline'
import { build } from 'esbuild'
import pg from 'pg'

import { memoryFolder } from '../../../../testing/memory-folder.ts'
import { dataFolderOf } from '../cluster.ts'
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../embedded-postgres.ts'
import { readLocation } from '../placement.ts'
import { pollUntil } from '../polling.ts'
import { stopPostmaster } from '../process/postmaster.ts'
import { findPostmaster } from '../process/postmaster-file.ts'
import { isAlive, type ProcessIdentity } from '../process/process-identity.ts'
import type { RunAs } from '../process/run-command.ts'
import { machineSurroundings, type Surroundings } from '../surroundings.ts'

/** Whether the tests run as root and can therefore switch users. */
export const isRoot = process.getuid?.() === 0

/** Instructions for a child process. */
export interface ChildOrder {
  readonly folder: string
  readonly database: string
  readonly durable: boolean
  readonly isWatched?: boolean
  readonly surroundings: Surroundings
}

/** A process that uses a server. */
export interface ServerChild {
  readonly process: ChildProcess
  /** Waits for the URL; rejects with the error of the start. */
  url(): Promise<string>
  stop(): Promise<void>
  /** Sends kill -9 and waits until it has ended. */
  kill(): Promise<void>
}

/** A test's isolated environment: folders, servers and processes that are removed afterwards. */
export class TestWorld {
  private readonly servers: EmbeddedPostgres[] = []
  private readonly children: ServerChild[] = []
  private readonly folders = new Set<string>()

  private constructor(
    readonly root: string,
    readonly surroundings: Surroundings,
  ) {}

  /** `open`: other users have access, as in a checkout below /srv; otherwise as below /root. */
  static async create(open = true): Promise<TestWorld> {
    // The system's temporary folder may be a link, and the server reports real paths.
    const root = await mkdtemp(join(await realpath(await memoryFolder()), 'gatehouse-test-'))
    if (open) await chmod(root, 0o755)
    const shared = await mkdtemp(join(await realpath(tmpdir()), 'gatehouse-test-shared-'))
    await chmod(shared, 0o755)
    const machine = await machineSurroundings()
    const world = new TestWorld(root, {
      ...machine,
      binaryCaches: [join(shared, 'cache')],
      sharedData: join(shared, 'data'),
    })
    world.cleanUps.push(() => rm(shared, { recursive: true, force: true }))
    return world
  }

  private readonly cleanUps: (() => Promise<void>)[] = []

  folder(name = 'postgres'): string {
    const folder = join(this.root, name)
    this.folders.add(folder)
    return folder
  }

  async start(folder: string, options: Partial<ChildOrder> = {}): Promise<EmbeddedPostgres> {
    const { surroundings = this.surroundings, ...rest } = options
    const server = await startEmbeddedPostgres(
      { folder, database: 'gatehouse', durable: false, log: () => undefined, ...rest },
      surroundings,
    )
    this.servers.push(server)
    return server
  }

  async spawn(folder: string, runAs: RunAs | null = null, options: Partial<ChildOrder> = {}) {
    const order: ChildOrder = {
      folder,
      database: 'gatehouse',
      durable: false,
      surroundings: this.surroundings,
      ...options,
    }
    const child = launchChild(await bundledChild(), order, runAs)
    this.children.push(child)
    return child
  }

  /** Returns the server running on a folder. */
  async postmaster(folder: string): Promise<ProcessIdentity | null> {
    const place = (await readLocation(folder)).place ?? folder
    return (await findPostmaster(dataFolderOf(place)))?.identity ?? null
  }

  async dispose(): Promise<void> {
    for (const child of this.children) await child.kill()
    for (const server of this.servers) await server.stop().catch(() => undefined)
    for (const folder of this.folders) {
      const left = await this.postmaster(folder).catch(() => null)
      if (left) await stopPostmaster(left, () => undefined)
    }
    await rm(this.root, { recursive: true, force: true, maxRetries: 10 })
    for (const cleanUp of this.cleanUps) await cleanUp()
  }
}

function launchChild(script: string, order: ChildOrder, runAs: RunAs | null): ServerChild {
  const child = spawn(process.execPath, [script, JSON.stringify(order)], {
    ...(runAs ? { uid: runAs.uid, gid: runAs.gid } : {}),
    cwd: '/',
    detached: true,
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const lines: string[] = []
  const reader: Interface = createInterface({ input: child.stdout })
  reader.on('line', (line) => lines.push(line))
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()))
  const said = async (start: string) => {
    const line = await within30s(async () => {
      const failed = lines.find((text) => text.startsWith('failed '))
      if (failed !== undefined) throw new Error(failed)
      return lines.find((text) => text.startsWith(start)) ?? null
    })
    return line.slice(start.length)
  }
  return {
    process: child,
    url: () => said('url '),
    async stop() {
      child.stdin.write('stop\n')
      await said('stopped')
      // From here on the server must not keep the process from exiting.
      child.stdin.end()
      await ended
    },
    async kill() {
      child.kill('SIGKILL')
      await ended
    },
  }
}

let bundle: Promise<string> | undefined

/**
 * Bundles the child's program into a file that any user can read, since other users can't access the checkout.
 */
function bundledChild(): Promise<string> {
  bundle ??= (async () => {
    const folder = await mkdtemp(join(tmpdir(), 'gatehouse-test-child-'))
    await chmod(folder, 0o755)
    const file = join(folder, 'child.mjs')
    await build({
      entryPoints: [join(import.meta.dirname, 'test-child.ts')],
      outfile: file,
      bundle: true,
      platform: 'node',
      format: 'esm',
      external: ['pg-native'],
      banner: {
        js: "import { createRequire as bundleRequire } from 'node:module'; const require = bundleRequire(import.meta.url);",
      },
    })
    return file
  })()
  return bundle
}

/** Removes what the tests of a file share. */
export async function disposeShared(): Promise<void> {
  if (bundle !== undefined) await rm(join(await bundle, '..'), { recursive: true, force: true })
  bundle = undefined
}

/** Polls for an expected event; fails the test after 30 seconds. */
export async function within30s<T>(ask: () => Promise<T | null | false>): Promise<T> {
  const answer = await pollUntil({ everyMs: 10, forMs: 30_000 }, ask)
  if (answer === null) throw new Error('timed out after 30 seconds')
  return answer
}

/** Runs a statement on its own connection. */
export async function query(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => undefined)
  await client.connect()
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows
  } finally {
    await client.end().catch(() => undefined)
  }
}

/** Sends kill -9 and waits until the process has ended. */
export async function killHard(victim: ProcessIdentity | null): Promise<void> {
  if (victim === null) throw new Error('no process to kill')
  process.kill(victim.pid, 'SIGKILL')
  await within30s(async () => !(await isAlive(victim)))
}

/** Returns the names in a folder; empty if it is missing. */
export async function namesIn(folder: string): Promise<string[]> {
  return readdir(folder).catch(() => [])
}

/** Copies the package with the binaries as npm installs it, optionally without its library links. */
export async function copyPackage(folder: string, options: { links: boolean }): Promise<string> {
  const { npmBinaries } = await machineSurroundings()
  if (npmBinaries === null) throw new Error('the binaries of embedded-postgres are not installed')
  await mkdir(folder, { recursive: true })
  await cp(join(npmBinaries, '..', 'package.json'), join(folder, 'package.json'))
  await cp(npmBinaries, join(folder, 'native'), {
    recursive: true,
    verbatimSymlinks: true,
    filter: async (path) => options.links || !(await lstat(path)).isSymbolicLink(),
  })
  return join(folder, 'native')
}
