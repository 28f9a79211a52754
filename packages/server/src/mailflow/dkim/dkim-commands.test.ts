import { expect, test } from 'vitest'
import { commandLine } from '../../testing/command-line.ts'
import { makeDomain } from '../../testing/factories.ts'
import { useTestApp } from '../../testing/test-app.ts'
import { dkimRoundJob } from './dkim-jobs.ts'

const app = useTestApp({ MAIL_DKIM: undefined })
const run = commandLine(app)

test('an operator sees, publishes and replaces the keys of a domain', async () => {
  const id = await makeDomain(app(), 'acme.test')
  expect(await run('dkim:show', 'acme.test')).toEqual(['No keys yet. They are created in the background.'])
  await app().jobs.enqueue(app().database.db, dkimRoundJob, {})
  await app().jobs.drain()
  expect((await run('dkim:show', 'ACME.test')).sort()).toEqual([
    'd20260310e  ed25519  published since 2026-03-10  not found in the DNS',
    'd20260310r  rsa  published since 2026-03-10  not found in the DNS',
  ])
  const zone = await run('dkim:zone', 'acme.test')
  expect(zone.join('\n')).toMatch(
    /^d20260310r\._domainkey\.acme\.test\. 3600 IN TXT "v=DKIM1.{248}" "[^"]+"$/m,
  )
  await expect(run('dkim:rotate', 'acme.test')).rejects.toThrow('waiting to be published already')

  await app().database.pool.query(`update dkim_keys set state = 'active' where domain_id = $1`, [id])
  const [what, ...records] = await run('dkim:rotate', 'acme.test', 'key', 'lost')
  expect(what).toBe('Publish these records. The old keys sign until the new ones are visible.')
  expect(records.map((line) => line.split('.')[0] ?? '').sort()).toEqual(['d20260310e2', 'd20260310r2'])
  expect(await run('dkim:zone', 'acme.test')).toHaveLength(4)
  const { rows } = await app().database.pool.query(
    `select comment, data from event_log where object_id = $1 and event = 'domain.dkim-created'
      order by created_at desc, id desc limit 1`,
    [id],
  )
  expect(rows).toMatchObject([
    { comment: 'key lost', data: { after: { selector: 'd20260310r2, d20260310e2' } } },
  ])
})

test('an unknown domain and a shared key are refused', async () => {
  await expect(run('dkim:show', 'nowhere.test')).rejects.toThrow('There is no domain nowhere.test.')
  const shared = commandLine(app, { MAIL_DKIM: 'key.gate.test' })
  await expect(shared('dkim:rotate', 'acme.test')).rejects.toThrow('MAIL_DKIM is set')
})
