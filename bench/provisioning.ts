import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { availableParallelism, loadavg } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import { type CyrusDescription, cyrusPaths } from '@gatehouse/mail/cyrus/cyrus-description'
import { canRunCyrus, startCyrus, stopCyrus } from '@gatehouse/mail/cyrus/run-cyrus'
import pg from 'pg'
import type { Benchmark, Result } from './result.ts'
import { databaseAddress, freePort, type RunningServer, signIn, startServer } from './server-process.ts'

/** `BENCH_USERS` sets a smaller number for a quick run. */
const users = Number(process.env.BENCH_USERS ?? 500)
/** Connections of the bare commands, as many as the server runs jobs. */
const connections = 4
/** Milliseconds that everything may take. */
const patience = 900_000
const folders = ['Drafts', 'Sent', 'Trash', 'Spam', 'Archive']

/** New users with mailboxes, calendars and contacts in Cyrus, compared with the bare IMAP commands. */
export const provisioning: Benchmark = {
  name: 'provisioning',
  async run() {
    if (!canRunCyrus) {
      process.stdout.write('provisioning: skipped, because Cyrus IMAP is not installed or this is not root\n')
      return []
    }
    const folder = await mkdtemp('/var/tmp/gatehouse-bench-')
    // Cyrus runs as another user
    await chmod(folder, 0o755)
    const cyrus = await describeCyrus(`${folder}/cyrus`)
    try {
      await startCyrus(cyrus)
      return await measure(cyrus)
    } finally {
      await stopCyrus(cyrus.folder)
      await rm(folder, { recursive: true, force: true })
    }
  },
}

async function describeCyrus(folder: string): Promise<CyrusDescription> {
  const listen = async () => `127.0.0.1:${await freePort()}`
  return {
    folder,
    hostname: 'mail.bench.test',
    admin: { name: 'cyrus-admin', password: 'of a benchmark' },
    authSocket: `${folder}/auth`,
    listen: { imap: await listen(), http: await listen(), sieve: await listen() },
  }
}

async function measure(cyrus: CyrusDescription): Promise<Result[]> {
  const bare = await bareCommands(cyrus)
  await using server = await startServer(undefined, {
    GROUPWARE_BACKEND: 'cyrus',
    CYRUS_IMAP: cyrus.listen.imap,
    CYRUS_SIEVE: cyrus.listen.sieve,
    CYRUS_DAV_URL: `http://${cyrus.listen.http}`,
    CYRUS_ADMIN_PASSWORD: cyrus.admin.password,
    CYRUS_JWT_KEY_FILE: cyrusPaths(cyrus.folder).tokenKey,
  })
  const { made, seconds } = await importUsers(server, cyrus)
  const endToEnd = made / seconds
  const load = `load ${(loadavg()[0] ?? 0).toFixed(1)} on ${availableParallelism()} cores`
  const detail = `${(users / seconds).toFixed(1)} users/s (${load}), each with ${(made / users).toFixed(1)} mailboxes: inbox, folders, calendars, address books`
  return [
    {
      what: 'mailboxes of imported users in Cyrus',
      value: endToEnd,
      unit: '/s',
      bar: { at: 'least', limit: 100 },
      detail,
    },
    {
      what: 'the same vs. bare IMAP commands for inboxes and folders',
      value: endToEnd / bare,
      unit: '×',
      bar: { at: 'least', limit: 0.3 },
      detail: `${endToEnd.toFixed(0)} and ${bare.toFixed(0)} mailboxes/s, ${connections} connections`,
    },
  ]
}

/** Creates inboxes and folders without a portal. Returns mailboxes per second. */
async function bareCommands(cyrus: CyrusDescription): Promise<number> {
  const began = performance.now()
  await Promise.all(
    Array.from({ length: connections }, (_, part) => {
      const commands: string[] = []
      for (let number = part; number < users; number += connections) {
        commands.push(`CREATE user/b${number}@bare.test`)
        commands.push(`SETQUOTA user/b${number}@bare.test (STORAGE 1048576)`)
        for (const folder of folders) commands.push(`CREATE user/b${number}/${folder}@bare.test`)
      }
      return runCommands(cyrus, commands)
    }),
  )
  return (users * (1 + folders.length)) / ((performance.now() - began) / 1000)
}

/** Runs commands as the administrator, each after the answer to the one before. Returns all that was received. */
async function runCommands(
  { listen, admin }: CyrusDescription,
  commands: readonly string[],
): Promise<string> {
  const [host, port] = listen.imap.split(':')
  const socket = connect(Number(port), host)
  const proof = Buffer.from(`\0${admin.name}\0${admin.password}`).toString('base64')
  const waiting = [`AUTHENTICATE PLAIN ${proof}`, ...commands, 'LOGOUT']
  let received = ''
  let lines = ''
  for await (const chunk of socket) {
    received += chunk
    lines += chunk
    // the greeting, and the last line of each answer
    if (!/^(?:\* OK|t (?:OK|NO|BAD)) [^\n]*\r\n$/m.test(lines)) continue
    if (/^t (?:NO|BAD)/m.test(lines)) throw new Error(`refused: ${lines}`)
    lines = ''
    const next = waiting.shift()
    if (next !== undefined) socket.write(`t ${next}\r\n`)
  }
  return received
}

/** Imports users from a file and waits until all of them have their mailbox. */
async function importUsers(
  server: RunningServer,
  cyrus: CyrusDescription,
): Promise<{ readonly made: number; readonly seconds: number }> {
  const { access_token: token } = await signIn(server.url)
  const headers = { authorization: `Bearer ${token}` }
  const rows = Array.from({ length: users }, (_, number) => `u${number}@acme.test,Number ${number},kolab`)
  const answer = await fetch(`${server.url}/api/v4/imports?kind=users`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'text/csv' },
    body: ['email,last_name,package', ...rows].join('\n'),
  })
  const { batch } = (await answer.json()) as { batch: { id: string } } // API response
  const client = new pg.Client({ connectionString: await databaseAddress(server.dataDir) })
  await client.connect()
  const end = performance.now() + patience
  const until = async (statement: string, failure?: () => Promise<string | undefined>) => {
    while ((await client.query(statement)).rows.length === 0) {
      const reason = await failure?.()
      if (reason !== undefined) throw new Error(`provisioning failed: ${reason}`)
      if (performance.now() > end) throw new Error(`still waiting: ${statement}`)
      await pause(50)
    }
  }
  await until(`select from batches where id = '${batch.id}' and state = 'ready'`)
  const began = performance.now()
  await fetch(`${server.url}/api/v4/batches/${batch.id}/start`, { method: 'POST', headers })
  await until(`select from batches where id = '${batch.id}' and state = 'done'`)
  // objects of the demo that wait for each other are not measured
  const imported = `from provisioning p join users u on p.kind = 'user' and p.object_id = u.id
    where p.step = 'backend' and u.email ~ '^u[0-9]+@acme[.]test$'`
  await until(`select where (select count(*) ${imported} and p.state = 'done') = ${users}`, async () => {
    const { rows } = await client.query<{ error: string }>(
      `select p.error ${imported} and p.state = 'failed'`,
    )
    return rows[0]?.error
  })
  const seconds = (performance.now() - began) / 1000
  await client.end()
  const listed = await runCommands(cyrus, ['LIST "" user/u*@acme.test'])
  return { made: listed.match(/^\* LIST /gm)?.length ?? 0, seconds }
}
