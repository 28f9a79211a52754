import { chmod, mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * A new folder for the data of a server, open to pass through: the embedded PostgreSQL, which is another user where the
 * server is root, keeps its files in it then, and they go with it.
 */
export async function makeDataFolder(name: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), `gatehouse-${name}-`))
  await chmod(folder, 0o711)
  return folder
}
