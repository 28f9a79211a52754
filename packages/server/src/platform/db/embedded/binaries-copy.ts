import { randomUUID } from 'node:crypto'
import { constants } from 'node:fs'
import { chmod, cp, lstat, mkdir, readdir, readFile, rename, rm, symlink } from 'node:fs/promises'
import { basename, dirname, join, relative } from 'node:path'

import { systemErrorCode } from './errors.ts'
import { identifyProcess } from './process/process-identity.ts'

/**
 * Copies the npm binaries to a folder readable by every user, once per version, and adds the library links
 * that are missing if npm ran without install scripts. Returns the copy.
 */
export async function copyBinaries(native: string, cache: string): Promise<string> {
  const copy = join(cache, `postgresql-${await versionOfPackage(native)}-${process.platform}-${process.arch}`)
  if (await exists(copy)) return copy
  await mkdir(cache, { recursive: true, mode: 0o755 })
  await sweepPartial(copy)
  const partial = `${copy}.partial-${process.pid}-${randomUUID()}`
  try {
    await cp(native, partial, {
      recursive: true,
      verbatimSymlinks: true,
      mode: constants.COPYFILE_FICLONE,
      // Static libraries are only needed by compilers.
      filter: (source) => !source.endsWith('.a'),
    })
    await addMissingLinks(partial)
    await openForReading(partial)
    await rename(partial, copy)
  } catch (error) {
    // Another process may have created the same copy in the meantime.
    if (!(await exists(copy))) throw error
  } finally {
    await rm(partial, { recursive: true, force: true })
  }
  return copy
}

async function versionOfPackage(native: string): Promise<string> {
  const text = await readFile(join(dirname(native), 'package.json'), 'utf8')
  const manifest: unknown = JSON.parse(text)
  const known = typeof manifest === 'object' && manifest !== null && 'version' in manifest
  return known ? String(manifest.version).replace(/[^\w.-]/g, '_') : 'unknown'
}

/** Removes incomplete copies of killed processes. */
async function sweepPartial(copy: string): Promise<void> {
  const prefix = `${basename(copy)}.partial-`
  for (const name of await readdir(dirname(copy))) {
    if (!name.startsWith(prefix)) continue
    const pid = Number.parseInt(name.slice(prefix.length), 10)
    if ((await identifyProcess(pid)) === null)
      await rm(join(dirname(copy), name), { recursive: true, force: true })
  }
}

/** npm packages can't contain symbolic links; the package lists them in `pg-symlinks.json`. */
async function addMissingLinks(native: string): Promise<void> {
  const text = await readFile(join(native, 'pg-symlinks.json'), 'utf8').catch(() => '[]')
  const links: unknown = JSON.parse(text)
  if (!Array.isArray(links)) return
  const entries: unknown[] = links
  for (const entry of entries) {
    if (typeof entry !== 'object' || entry === null || !('source' in entry) || !('target' in entry)) continue
    // Both paths are relative to the package, one level above the folder copied here.
    const target = join(native, '..', String(entry.target).replace(/^native\//, `${basename(native)}/`))
    const source = join(native, '..', String(entry.source).replace(/^native\//, `${basename(native)}/`))
    await symlink(relative(dirname(target), source), target).catch((error: unknown) => {
      if (systemErrorCode(error) !== 'EEXIST') throw error
    })
  }
}

async function openForReading(path: string): Promise<void> {
  const { mode } = await lstat(path)
  const isFolder = (mode & constants.S_IFMT) === constants.S_IFDIR
  if ((mode & constants.S_IFMT) === constants.S_IFLNK) return
  await chmod(path, isFolder || mode & 0o100 ? 0o755 : 0o644)
  if (isFolder) for (const name of await readdir(path)) await openForReading(join(path, name))
}

async function exists(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  )
}
