import { readFile, statfs } from 'node:fs/promises'
import { freemem, tmpdir } from 'node:os'

const candidate = '/dev/shm'

/** Bytes that a run may need at once: its databases, the write-ahead log and the servers of their own tests. */
const room = 4 * 1024 ** 3

/**
 * The parent of folders for databases, which create thousands of small files: in memory if there is room, or
 * else the temporary folder, as in containers, whose shared memory is small.
 */
export async function memoryFolder(): Promise<string> {
  const mounts = await readFile('/proc/mounts', 'utf8').catch(() => '')
  const [, type, options = ''] = new RegExp(`^\\S+ ${candidate} (\\S+) (\\S+)`, 'm').exec(mounts) ?? []
  // tests also run programs from there
  if (type !== 'tmpfs' || options.split(',').includes('noexec')) return tmpdir()
  const { bavail, bsize } = await statfs(candidate)
  return Math.min(bavail * bsize, freemem()) < room ? tmpdir() : candidate
}
