import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { domainStatus } from '@gatehouse/contract/status'
import pg from 'pg'
import { inject } from 'vitest'
import './environment.ts'

/** Address of the database that a server embeds in its data folder; the server runs. */
export async function embeddedDatabaseUrl(dataDir: string): Promise<string> {
  const folder = join(dataDir, 'postgres')
  const moved = await readFile(join(folder, 'location.json'), 'utf8').catch(() => '{}')
  const { place = folder } = JSON.parse(moved) as { place?: string } // the server wrote the file
  const process = await readFile(join(place, 'data/postmaster.pid'), 'utf8')
  const [, , , port, socketFolder = ''] = process.split('\n')
  return `postgres://gatehouse@/gatehouse?host=${encodeURIComponent(socketFolder)}&port=${port}`
}

/** Makes an own domain one whose owner has shown that it is theirs: in tests there is no DNS to ask. */
export async function confirmDomain(namespace: string): Promise<void> {
  const client = new pg.Client({ connectionString: inject('databaseUrl') })
  await client.connect()
  try {
    const done = domainStatus.active | domainStatus.verified | domainStatus.confirmed
    const { rowCount } = await client.query('update domains set status = status | $1 where namespace = $2', [
      done,
      namespace,
    ])
    if (rowCount !== 1) throw new Error(`there is no domain ${namespace}`)
  } finally {
    await client.end()
  }
}
