import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** Address of the database that a server embeds in its data folder; the server runs. */
export async function embeddedDatabaseUrl(dataDir: string): Promise<string> {
  const folder = join(dataDir, 'postgres')
  const moved = await readFile(join(folder, 'location.json'), 'utf8').catch(() => '{}')
  const { place = folder } = JSON.parse(moved) as { place?: string } // the server wrote the file
  const process = await readFile(join(place, 'data/postmaster.pid'), 'utf8')
  const [, , , port, socketFolder = ''] = process.split('\n')
  return `postgres://gatehouse@/gatehouse?host=${encodeURIComponent(socketFolder)}&port=${port}`
}
