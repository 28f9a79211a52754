import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { tableFiles } from '@gatehouse/mail/postfix/main-cf'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeAccount, type TestAccount } from '../../testing/account-fixture.ts'
import { makeObject } from '../../testing/directory-fixture.ts'
import { makeAlias } from '../../testing/factories.ts'
import { createTestApp, type TestApp } from '../../testing/test-app.ts'

const run = promisify(execFile)
const program = '/usr/sbin/postmap'
// as root, because the test server's socket admits no other users
const isPossible =
  existsSync(program) && existsSync('/usr/lib/postfix/postfix-pgsql.so') && process.getuid?.() === 0

let app: TestApp
let account: TestAccount
let folder: string

beforeAll(async () => {
  if (!isPossible) return
  app = await createTestApp()
  account = await makeAccount(app)
  await makeAlias(app, account.member, `o'neill@${account.domain}`)
  await makeObject(account, 'groups', {
    email: `list@${account.domain}`,
    members: [account.member.email, 'ann@partner.test'],
  })
  folder = await mkdtemp(join(tmpdir(), 'gatehouse-tables-'))
  await mkdir(join(folder, 'conf'))
  await writeFile(join(folder, 'conf/main.cf'), 'compatibility_level = 3.6\n')
  const url = app.database.pool.options.connectionString ?? ''
  for (const [path, text] of tableFiles({ folder, addresses: { kind: 'database', url } }))
    await writeFile(path, text)
})
afterAll(async () => {
  if (!isPossible) return
  await app.close()
  await rm(folder, { recursive: true, force: true })
})

/** Looks up a key with Postfix's own client. */
async function lookUp(table: string, key: string): Promise<string> {
  const conf = join(folder, 'conf')
  const query = run(program, ['-c', conf, '-q', key, `pgsql:${join(conf, table)}.cf`])
  return query.then(
    ({ stdout }) => stdout.trim(),
    (error: { stderr: string }) => error.stderr,
  )
}

test.skipIf(!isPossible)(
  'Postfix reads the views (needs postfix-pgsql and root)',
  { timeout: 60_000 },
  async () => {
    const { domain, member } = account
    expect(await lookUp('domains', domain)).toBe(domain)
    expect(await lookUp('domains', 'elsewhere.test')).toBe('')
    expect(await lookUp('mailboxes', member.email)).toBe(member.email)
    expect(await lookUp('aliases', `list@${domain}`)).toBe(`ann@partner.test,${member.email}`)
    expect(await lookUp('aliases', `o'neill@${domain}`)).toBe(member.email)
    expect(await lookUp('senders', `o'neill@${domain}`)).toBe(member.email)
  },
)
