// Checksums and archives that are the same, byte for byte, when they are made from the same commit.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { basename, dirname, join, relative } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'

/** Writes `SHA256SUMS` with all files of a folder, in the format of `sha256sum -c`. */
export async function writeChecksums(folder) {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries
    .filter((entry) => entry.isFile() && entry.name !== 'SHA256SUMS')
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .sort()
  const lines = []
  for (const file of files) lines.push(`${await hashOf(join(folder, file))}  ${file}\n`)
  await writeFile(join(folder, 'SHA256SUMS'), lines.join(''))
}

/** Writes `SHA256SUMS` beside the named files of a folder. */
export async function writeChecksumsOf(folder, names) {
  const lines = []
  for (const name of names.toSorted()) lines.push(`${await hashOf(join(folder, name))}  ${name}\n`)
  await writeFile(join(folder, 'SHA256SUMS'), lines.join(''))
}

async function hashOf(file) {
  return createHash('sha256')
    .update(await readFile(file))
    .digest('hex')
}

/**
 * Packs a folder. The date, the owner and the order of files don't depend on the machine.
 * @param {string} folder
 * @param {string} archive a `.tar.gz`
 * @param {Date} date
 * @param {number} [level] of compression, 1 to 9
 */
export async function pack(folder, archive, date, level = 6) {
  const plain = archive.replace(/\.t?gz$/, '.plain')
  run('tar', [
    ...['--create', '--file', plain, '--directory', dirname(folder), '--format=gnu', '--sort=name'],
    ...[`--mtime=@${Math.floor(date.getTime() / 1000)}`, '--owner=0', '--group=0', '--numeric-owner'],
    basename(folder),
  ])
  await pipeline(createReadStream(plain), createGzip({ level }), createWriteStream(archive))
  run('rm', ['--', plain])
}

/** Runs a program. Throws if it fails. */
export function run(program, args, options = {}) {
  const { status, error } = spawnSync(program, args, { stdio: 'inherit', ...options })
  if (error !== undefined) throw error
  if (status !== 0) throw new Error(`${program} failed with code ${status}`)
}
