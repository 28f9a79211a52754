import { type ChildProcess, type ForkOptions, fork } from 'node:child_process'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'

export interface ConfinedOptions extends Pick<ForkOptions, 'serialization' | 'stdio'> {
  readonly script: string
  readonly args?: readonly string[]
  /** The child's complete environment. */
  readonly env?: Readonly<Record<string, string>>
  readonly usesNetwork?: boolean
  /** JavaScript heap limit in MiB. */
  readonly heap: number
  /** Total memory limit in MiB; a child that exceeds it is killed. */
  readonly memory: number
}

/** Milliseconds between two checks of a child's memory. */
const memoryCheck = 250
const pageSize = 4096
const mebibyte = 1024 * 1024
const shell = '/bin/sh'

/**
 * Starts a sandboxed Node process for untrusted input, so that compromising it gains little: it has an empty
 * environment, limited memory and no core dumps. If the runtime has a permission model, it may only read
 * installed code, and neither write nor start processes. The script drops root privileges itself
 * (`dropPrivileges`) before it processes any untrusted input.
 */
export function startConfined(options: ConfinedOptions): ChildProcess {
  const flags = [
    `--max-old-space-size=${options.heap}`,
    // warnings about the permission model and about allowing native addons
    '--disable-warning=ExperimentalWarning',
    '--disable-warning=SecurityWarning',
    ...permissionFlags(options),
  ]
  const common = {
    cwd: '/',
    env: { ...options.env },
    ...(options.serialization !== undefined && { serialization: options.serialization }),
    ...(options.stdio !== undefined && { stdio: options.stdio }),
  }
  const limited = process.platform === 'linux' && existsSync(shell)
  const child = fork(options.script, options.args ?? [], {
    ...common,
    ...(limited
      ? { execPath: shell, execArgv: ['-c', limits(options.memory), process.execPath, ...flags] }
      : { execArgv: flags }),
  })
  watchMemory(child, options.memory)
  return child
}

/** Shell commands before exec: no core dumps, and a limit on its own memory (`ulimit` counts KiB). */
function limits(memory: number): string {
  return `ulimit -c 0; ulimit -d ${memory * 1024}; exec "$0" "$@"`
}

/** The flags of Node's permission model, if this runtime has one. */
export function permissionFlags(
  { script, usesNetwork = false }: Pick<ConfinedOptions, 'script' | 'usesNetwork'>,
  known: ReadonlySet<string> = process.allowedNodeEnvironmentFlags,
): string[] {
  const model = ['--permission', '--experimental-permission'].find((flag) => known.has(flag))
  // without `--allow-addons` native libraries couldn't be loaded
  if (model === undefined || !known.has('--allow-addons')) return []
  // `dropPrivileges` is in this file's folder, unless it was bundled with the script
  const all = [dirname(script), import.meta.dirname, ...packageFolders(script)]
  // Node 20 aborts if a folder is given twice
  const folders = new Set(all.filter((folder) => !all.some((other) => folder.startsWith(`${other}/`))))
  return [
    model,
    '--allow-addons',
    ...[...folders].map((folder) => `--allow-fs-read=${folder}/*`),
    ...(usesNetwork && known.has('--allow-net') ? ['--allow-net'] : []),
  ]
}

/** Folders of the packages that a script can import. */
function packageFolders(script: string): string[] {
  const folders: string[] = []
  for (let folder = dirname(script); ; folder = dirname(folder)) {
    const packages = join(folder, 'node_modules')
    if (existsSync(packages)) folders.push(packages)
    if (folder === dirname(folder)) return folders
  }
}

/**
 * Kills a child that uses too much memory of any kind. If the system doesn't report usage, only the other
 * limits apply.
 */
function watchMemory(child: ChildProcess, memory: number): void {
  const { pid } = child
  if (process.platform !== 'linux' || pid === undefined) return
  const timer = setInterval(async () => {
    const statistics = await readFile(`/proc/${pid}/statm`, 'utf8').catch(() => '')
    const pages = Number(statistics.split(' ')[1] ?? 0)
    if (pages * pageSize > memory * mebibyte) child.kill('SIGKILL')
  }, memoryCheck)
  timer.unref()
  child.once('exit', () => clearInterval(timer))
  child.once('error', () => clearInterval(timer))
}
