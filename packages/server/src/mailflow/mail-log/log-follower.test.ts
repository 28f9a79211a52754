import { appendFile, mkdtemp, rename, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { makeAccount } from '../../testing/account-fixture.ts'
import { useTestApp } from '../../testing/test-app.ts'
import { LogFollower } from './log-follower.ts'
import { MailLog } from './mail-log.ts'

const app = useTestApp()

let folder = ''
let path = ''
const folders: string[] = []

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gatehouse-mail-log-'))
  folders.push(folder)
  path = join(folder, 'mail.log')
  await app().database.db.deleteFrom('mailLogSteps').execute()
})

afterAll(() => Promise.all(folders.map((one) => rm(one, { recursive: true, force: true }))))

const line = (number: number, text = 'removed') =>
  `2026-03-10T11:00:00Z mx1 postfix/qmgr[1]: 4bTk6q${String(number).padStart(6, '0')}: ${text}\n`

const lines = (...numbers: number[]) => numbers.map((number) => line(number)).join('')

function makeMailLog(config: { MAILFLOW_HASH_STRANGERS?: boolean } = {}): MailLog {
  const { database, clock, decisions, rate } = app()
  return new MailLog({
    ...{ db: database.db, pool: database.pool, clock, rate },
    config: { MAILFLOW_LOG_DAYS: 90, MAILFLOW_HASH_STRANGERS: false, ...config },
    // hidden whenever it isn't ours
    decisions: config.MAILFLOW_HASH_STRANGERS
      ? { storedAddress: (address, isOurs) => (isOurs ? address : `~${address.slice(address.indexOf('@'))}`) }
      : decisions,
  })
}

function makeFollower(mailLog: Pick<MailLog, 'record'> = makeMailLog()): LogFollower {
  const { database, clock, fastify } = app()
  return new LogFollower(path, { db: database.db, clock, log: fastify.log, mailLog }, 'mx1')
}

/** Follows the file once, as a process that starts and stops. */
async function follow(): Promise<void> {
  const follower = makeFollower()
  await follower.readNow()
  await follower.stop()
}

/** Numbers of the recorded lines. */
async function recorded(): Promise<number[]> {
  const rows = await app()
    .database.db.selectFrom('mailLogSteps')
    .select('queueId')
    .orderBy('queueId')
    .execute()
  return rows.map(({ queueId }) => Number(queueId.slice(6)))
}

test('new lines are recorded once, by the same process or the next', async () => {
  const follower = makeFollower()
  await follower.readNow()
  await writeFile(path, lines(1, 2))
  await follower.readNow()
  await appendFile(path, lines(3))
  await follower.readNow()
  await follower.readNow()
  await follower.stop()
  await appendFile(path, lines(4))
  await follow()
  expect(await recorded()).toEqual([1, 2, 3, 4])
})

test('a line is read when it is complete', async () => {
  const [start, end] = [line(1).slice(0, 40), line(1).slice(40)]
  const follower = makeFollower()
  await writeFile(path, start)
  await follower.readNow()
  expect(await recorded()).toEqual([])
  await appendFile(path, end)
  await follower.readNow()
  await follower.stop()
  expect(await recorded()).toEqual([1])
})

test('a rotated file is read to its end, then the new one', async () => {
  const follower = makeFollower()
  await writeFile(path, lines(1))
  await follower.readNow()
  await appendFile(path, lines(2))
  await rename(path, `${path}.1`)
  await writeFile(path, '')
  await follower.readNow()
  // the mail server still writes to the old file
  await appendFile(`${path}.1`, lines(3))
  await follower.readNow()
  await writeFile(path, lines(4))
  await follower.readNow()
  await follower.stop()
  expect(await recorded()).toEqual([1, 2, 3, 4])
})

test('a file that was rotated while no process ran is finished', async () => {
  await writeFile(path, lines(1))
  await follow()
  await appendFile(path, lines(2))
  await rename(path, `${path}.1`)
  await writeFile(path, lines(3))
  await follow()
  await follow()
  expect(await recorded()).toEqual([1, 2, 3])
})

test('a truncated file is read from its beginning', async () => {
  const follower = makeFollower()
  await writeFile(path, lines(1, 2))
  await follower.readNow()
  await truncate(path, 0)
  await appendFile(path, lines(3))
  await follower.readNow()
  await follower.stop()
  expect(await recorded()).toEqual([1, 2, 3])
})

test('a truncated file that has grown beyond its former length is noticed', async () => {
  await writeFile(path, lines(1))
  await follow()
  await writeFile(path, lines(2, 3, 4))
  await follow()
  expect(await recorded()).toEqual([1, 2, 3, 4])
})

test('an endless line is dropped, and nothing after it', async () => {
  await writeFile(path, `${line(1)}${'x'.repeat(700_000)}\n${line(2)}`)
  await follow()
  expect(await recorded()).toEqual([1, 2])
})

test('nothing is lost or recorded twice when the database fails', async () => {
  const mailLog = makeMailLog()
  let isAway = true
  const follower = makeFollower({
    record: (...facts) => (isAway ? Promise.reject(new Error('away')) : mailLog.record(...facts)),
  })
  await writeFile(path, lines(1, 2))
  await expect(follower.readNow()).rejects.toThrow('away')
  isAway = false
  await follower.readNow()
  await follower.stop()
  expect(await recorded()).toEqual([1, 2])
})

test('lines older than the log is kept, and of a wrong clock, are left out', async () => {
  await writeFile(path, `${line(1)}${line(2).replace('2026', '2025')}${line(3).replace('2026', '2126')}`)
  await follow()
  expect(await recorded()).toEqual([1])
})

test('many lines are recorded in batches', async () => {
  await writeFile(path, lines(...Array.from({ length: 6000 }, (_, index) => index)))
  await follow()
  expect(await recorded()).toHaveLength(6000)
})

test('addresses of strangers are hidden if the setting says so', async () => {
  const delivery =
    'to=<ann@elsewhere.test>, relay=none, delay=1, dsn=5.1.1, status=bounced (550 <ann@elsewhere.test>: unknown)'
  await writeFile(path, line(1, delivery).replace('/qmgr', '/smtp'))
  const follower = makeFollower(makeMailLog({ MAILFLOW_HASH_STRANGERS: true }))
  await follower.readNow()
  await follower.stop()
  const rows = await app().database.db.selectFrom('mailLogSteps').select(['recipient', 'response']).execute()
  expect(rows).toEqual([{ recipient: '~@elsewhere.test', response: '550 <…>: unknown' }])
})

test('steps are removed with the decisions, after the days of the setting', async () => {
  await writeFile(path, lines(1))
  await follow()
  app().clock.advance(91 * 86_400)
  await makeMailLog().purge()
  expect(await recorded()).toEqual([])
  app().clock.advance(-91 * 86_400)
})

test('recipients that other servers reject count for the user who wrote to them', async () => {
  const account = await makeAccount(app())
  const queueId = '4bTk6qRjct9'
  const message = { user: account.member.email, sender: account.member.email, clientAddress: null }
  await app().rate.decide({ ...message, recipients: ['no@far.test'], queueId, messageId: null })
  await app().decisions.settled()
  const delivery = (to: string, dsn: string) =>
    `2026-03-10T11:00:00Z mx1 postfix/smtp[1]: ${queueId}: to=<${to}>, relay=mx.far.test[192.0.2.1]:25, delay=1, delays=0/0/0/1, dsn=${dsn}, status=bounced (no)\n`
  await writeFile(path, delivery('no@far.test', '5.1.1') + delivery('not@far.test', '5.1.1'))
  await appendFile(path, delivery('full@far.test', '5.2.2'))
  await follow()
  const [row] = await app()
    .database.db.selectFrom('userSending')
    .select('rejections')
    .where('userId', '=', account.member.id)
    .execute()
  expect(row?.rejections).toMatchObject([{ messages: 0, recipients: 2 }])
})
