import { type ChildProcess, type ForkOptions, fork } from 'node:child_process'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'

export interface ConfinedOptions extends Pick<ForkOptions, 'serialization' | 'stdio'> {
  readonly script: string
  readonly args?: readonly string[]
  /** Everything that the child finds in its environment. */
  readonly env?: Readonly<Record<string, string>>
  readonly usesNetwork?: boolean
  /** MiB of the JavaScript heap. */
  readonly heap: number
  /** MiB of all its memory together; a child that needs more ends. */
  readonly memory: number
}

/** Milliseconds between two looks at the memory of a child. */
const memoryCheck = 250
const pageSize = 4096
const mebibyte = 1024 * 1024
const shell = '/bin/sh'

/**
 * Starts a Node process that works on what strangers send, so that taking it over is worth little: it has an empty environment,
 * limited memory, leaves no core dump, and where the runtime has a permission model it may read installed code and nothing else,
 * write nothing and start nothing. The script gives up root itself (`dropPrivileges`), before it looks at anything of strangers.
 */
export function startConfined(options: ConfinedOptions): ChildProcess {
  const flags = [
    `--max-old-space-size=${options.heap}`,
    // about the permission model and the libraries that it has to allow
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

/** For the shell, which becomes the process: no core dump, and this much memory of its own (`ulimit` counts KiB). */
function limits(memory: number): string {
  return `ulimit -c 0; ulimit -d ${memory * 1024}; exec "$0" "$@"`
}

/** The flags of Node's permission model, as far as this runtime has it. */
export function permissionFlags(
  { script, usesNetwork = false }: Pick<ConfinedOptions, 'script' | 'usesNetwork'>,
  known: ReadonlySet<string> = process.allowedNodeEnvironmentFlags,
): string[] {
  const model = ['--permission', '--experimental-permission'].find((flag) => known.has(flag))
  // without `--allow-addons` the libraries in question could not be loaded
  if (model === undefined || !known.has('--allow-addons')) return []
  // `dropPrivileges` lies beside this file, unless it was bundled with the script
  const all = [dirname(script), import.meta.dirname, ...packageFolders(script)]
  // Node 20 aborts when it is told a folder twice
  const folders = new Set(all.filter((folder) => !all.some((other) => folder.startsWith(`${other}/`))))
  return [
    model,
    '--allow-addons',
    ...[...folders].map((folder) => `--allow-fs-read=${folder}/*`),
    ...(usesNetwork && known.has('--allow-net') ? ['--allow-net'] : []),
  ]
}

/** Where the packages lie that a script can import. */
function packageFolders(script: string): string[] {
  const folders: string[] = []
  for (let folder = dirname(script); ; folder = dirname(folder)) {
    const packages = join(folder, 'node_modules')
    if (existsSync(packages)) folders.push(packages)
    if (folder === dirname(folder)) return folders
  }
}

/** Ends a child that uses too much memory, however it came by it. Where the system does not tell, the other limits remain. */
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
