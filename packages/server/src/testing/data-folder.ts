import { chmod, mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * Creates a data folder for a server that other users may traverse: the embedded PostgreSQL, which runs as
 * another user if the server is root, keeps its files in it, so they are removed together.
 */
export async function makeDataFolder(name: string, parent = tmpdir()): Promise<string> {
  const folder = await mkdtemp(join(parent, `gatehouse-${name}-`))
  await chmod(folder, 0o711)
  return folder
}
