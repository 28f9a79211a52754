import { expect, test } from 'vitest'
import { version } from '../../platform/release/version.ts'
import { commandLine } from '../../testing/command-line.ts'
import { makeUser, signInAs } from '../../testing/factories.ts'
import { createTestApp, makeInstallation, useTestApp } from '../../testing/test-app.ts'

const app = useTestApp()
const run = commandLine(app)

test('db:status shows schema, versions and connections, and changes nothing', async () => {
  const lines = await run('db:status')
  const newest = /^This version {3}\S+, schema (\S+)$/.exec(lines[0] ?? '')?.[1]
  expect(lines.slice(0, 5)).toEqual([
    `This version   ${version}, schema ${newest}`,
    `Database       schema ${newest}, upgraded by ${version}`,
    'Pending        none',
    'Newer          none',
    'Works with     all versions that know its schema',
  ])
  expect(lines[5]).toMatch(`Connected      ${version} from this machine, connections: `)
  const [json = ''] = await run('db:status', '--json')
  expect(JSON.parse(json)).toMatchObject({ version, newest, pending: [], unknown: [] })
})

test('db:migrate on a current database changes nothing', async () => {
  expect(await run('db:migrate')).toEqual(['The database is up to date.'])
})

test('two processes serve a database that a newer version has expanded', { timeout: 60_000 }, async () => {
  await using installation = await makeInstallation()
  await using first = await createTestApp({}, undefined, { installation })
  // what an expanding migration of the next version leaves
  await first.database.pool.query(
    `alter table users add column next_version text;
     insert into kysely_migration values ('9998-next', '2027-01-01T00:00:00.000Z')`,
  )
  await using second = await createTestApp({}, undefined, { installation })
  const [one, two] = [await makeUser(first), await makeUser(second)]
  for (const server of [first, second]) for (const user of [one, two]) await signInAs(server, user)
  const lines = await commandLine(() => second)('db:status')
  expect(lines).toContain('Newer          9998-next')
})
