import { readFile } from 'node:fs/promises'
import pg from 'pg'
import type { Benchmark } from './result.ts'
import { databaseAddress, signIn, startServer } from './server-process.ts'

/** Records and files in the account; `BENCH_EXPORT_OBJECTS` sets another number. */
const objects = Number(process.env.BENCH_EXPORT_OBJECTS ?? '100000')
/** Memory growth in MiB that still counts as flat, as for files. */
const flat = 100

/** The export of an account in which half of the objects are files and the others entries of the audit log. */
export const accountExport: Benchmark = {
  name: 'export',
  async run() {
    await using server = await startServer()
    const { access_token: token } = await signIn(server.url, 'owner@acme.test')
    const ask = async (method: string, path: string, body?: object) => {
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
      const sent = body === undefined ? {} : { body: JSON.stringify(body) }
      const response = await fetch(`${server.url}${path}`, { method, headers, ...sent })
      if (!response.ok) throw new Error(`${method} ${path} returned ${response.status}`)
      return response
    }
    await upload(server.url, token)
    await fill(await databaseAddress(server.dataDir))
    const before = await memoryOf(server.pid)
    let peak = before
    const began = performance.now()
    await ask('POST', '/api/v4/exports', { kind: 'account' })
    for (;;) {
      // every entry of the list has these properties
      const { list } = (await (await ask('GET', '/api/v4/exports')).json()) as {
        list: { state: string; size: number; objects: number }[]
      }
      peak = Math.max(peak, await memoryOf(server.pid))
      const [one] = list
      if (one?.state === 'failed') throw new Error('the export failed')
      if (one?.state !== 'ready') {
        await new Promise((resolve) => setTimeout(resolve, 250))
        continue
      }
      const seconds = (performance.now() - began) / 1000
      const size = (one.size / 1024 / 1024).toFixed(1)
      return [
        {
          what: `export of an account with ${one.objects.toLocaleString('en')} objects`,
          value: one.objects / seconds,
          unit: 'objects/s',
          bar: { at: 'least', limit: 500 },
          detail: `${seconds.toFixed(1)} s, an archive of ${size} MiB`,
        },
        {
          what: 'growth of the server’s memory during the export',
          value: peak - before,
          unit: 'MiB',
          bar: { at: 'most', limit: flat },
          detail: `from ${before.toFixed(0)} to ${peak.toFixed(0)} MiB`,
        },
      ]
    }
  },
}

async function upload(url: string, token: string): Promise<void> {
  const response = await fetch(`${url}/api/v4/fs?name=benchmark.txt`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'text/plain' },
    body: 'content of a file\n'.repeat(100),
  })
  if (!response.ok) throw new Error(`the upload returned ${response.status}`)
}

/** Copies of one file share its content, but each is read and written like any other. */
async function fill(connectionString: string): Promise<void> {
  const client = new pg.Client({ connectionString })
  await client.connect()
  const half = Math.floor(objects / 2)
  await client.query(
    `insert into event_log (id, tenant_id, object_type, object_id, event, created_at, wallet_id)
    select gen_random_uuid(), u.tenant_id, 'benchmark', n, 'user.updated', now(), w.id
    from users u join wallets w on w.user_id = u.id, generate_series(1, $1) n where u.email = 'owner@acme.test'`,
    [half],
  )
  // the triggers that add up storage would update one row 50,000 times
  await client.query('set session_replication_role = replica')
  await client.query(
    `with source as (
      select i.*, v.content_id from fs_items i join fs_versions v on v.id = i.version_id where i.name = 'benchmark.txt'
    ), made as (
      select gen_random_uuid() as id, gen_random_uuid() as version, n from generate_series(1, $1) n
    ), items as (
      insert into fs_items (id, tenant_id, owner_id, type, name, version_id, size, mimetype, changed_at, created_at, updated_at)
      select m.id, s.tenant_id, s.owner_id, 'file', 'benchmark ' || m.n || '.txt', m.version, s.size, s.mimetype, now(), now(), now()
      from source s, made m
    )
    insert into fs_versions (id, item_id, content_id, owner_id, number, size, changed_at, created_at)
    select m.version, m.id, s.content_id, s.owner_id, 1, s.size, now(), now() from source s, made m`,
    [half],
  )
  await client.query('analyze')
  await client.end()
}

/** Resident memory of a process in MiB. */
async function memoryOf(pid: number): Promise<number> {
  const [, kilobytes = '0'] = /^VmRSS:\s+(\d+) kB/m.exec(await readFile(`/proc/${pid}/status`, 'utf8')) ?? []
  return Number(kilobytes) / 1024
}
