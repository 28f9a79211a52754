import { beforeEach, expect, test } from 'vitest'
import { day } from '../../platform/clock.ts'
import { Metrics } from '../../platform/metrics/metrics.ts'
import { useTestApp } from '../../testing/test-app.ts'
import { decide } from '../decision.ts'
import { type DecisionContext, DecisionLog } from './decision-log.ts'

const app = useTestApp()

const context: DecisionContext = {
  direction: 'in',
  account: null,
  sender: 'ann@elsewhere.test',
  recipient: 'jane@acme.test',
  clientAddress: '192.0.2.7',
  queueId: '4XyZ',
  messageId: null,
  ownDomains: ['acme.test'],
}

const facts = { sender: 'ann@elsewhere.test', members: ['jane@acme.test', 'bob@third.test'], delay: 300 }

function makeLog(config: Partial<{ MAILFLOW_LOG_DAYS: number; MAILFLOW_HASH_STRANGERS: boolean }> = {}) {
  const { database, clock, secrets, fastify } = app()
  return new DecisionLog({
    ...{ db: database.db, pool: database.pool, clock, secrets, log: fastify.log },
    metrics: new Metrics(database.pool),
    config: { MAILFLOW_LOG_DAYS: 90, MAILFLOW_HASH_STRANGERS: false, ...config },
  })
}

const stored = () => app().database.db.selectFrom('mailDecisions').selectAll().orderBy('id').execute()

beforeEach(() => app().database.db.deleteFrom('mailDecisions').execute())

test('a decision is kept with its facts, in the partition of its month', async () => {
  const log = makeLog()
  log.record('greylist', decide('greylist.first-contact', facts), context)
  await log.settled()
  expect(await stored()).toMatchObject([
    {
      policy: 'greylist',
      reason: 'greylist.first-contact',
      sender: 'ann@elsewhere.test',
      queueId: '4XyZ',
      facts,
    },
  ])
  const month = app().clock.now().toISOString().slice(0, 7).replace('-', '_')
  const { rows } = await app().database.pool.query(`select count(*) from mail_decisions_${month}`)
  expect(rows).toEqual([{ count: 1 }])
})

test('texts that PostgreSQL cannot store are kept without the characters it refuses', async () => {
  const log = makeLog()
  const hostile = 'a\0b\ud800@elsewhere.test'
  const about = { ...context, sender: hostile, recipient: hostile, messageId: hostile }
  log.record('greylist', decide('greylist.first-contact', { sender: hostile, list: [hostile] }), about)
  await log.settled()
  const kept = 'a\ufffdb\ufffd@elsewhere.test'
  expect(await stored()).toMatchObject([
    { sender: kept, recipient: kept, messageId: kept, facts: { sender: kept, list: [kept] } },
  ])
})

test('many decisions are kept in order', async () => {
  const log = makeLog()
  for (let at = 0; at < 1200; at++) log.record('rate', decide('rate.within-limits', { at }), context)
  await log.settled()
  const rows = await stored()
  expect(rows.map((row) => row.facts.at)).toEqual(Array.from({ length: 1200 }, (_, at) => at))
})

test('addresses of strangers are hidden where the setting says so, also in facts, but can be searched', async () => {
  const log = makeLog({ MAILFLOW_HASH_STRANGERS: true })
  log.record('list', decide('list.not-allowed', facts), context)
  await log.settled()
  const [row] = await stored()
  expect(row?.sender).toMatch(/^~[0-9a-f]{16}@elsewhere\.test$/)
  expect(row?.sender).toBe(log.storedAddress('ann@elsewhere.test', false))
  expect(row?.recipient).toBe('jane@acme.test')
  expect(row?.facts).toMatchObject({ sender: row?.sender, delay: 300 })
  expect(JSON.stringify(row)).not.toContain('bob@')
})

test('decisions are removed after the days of the setting, and whole months as partitions', async () => {
  const log = makeLog({ MAILFLOW_LOG_DAYS: 30 })
  log.record('rate', decide('rate.within-limits'), context)
  await log.settled()
  app().clock.advance(29 * day)
  log.record('rate', decide('rate.exempt'), context)
  await log.settled()
  await log.purge()
  expect(await stored()).toHaveLength(2)
  app().clock.advance(2 * day)
  await log.purge()
  expect(await stored()).toMatchObject([{ reason: 'rate.exempt' }])
  app().clock.advance(90 * day)
  await log.purge()
  const { rows } = await app().database.pool.query(
    `select count(*) from pg_inherits where inhparent = 'mail_decisions'::regclass`,
  )
  expect(rows).toEqual([{ count: 0 }])
})

test('decisions wait while the database is away, and are written once it is back', async () => {
  const { pool, db } = app().database
  await db.schema.alterTable('mail_decisions').renameTo('mail_decisions_away').execute()
  const log = makeLog()
  log.record('rate', decide('rate.exempt'), context)
  await log.settled()
  await pool.query('alter table mail_decisions_away rename to mail_decisions')
  expect(await stored()).toEqual([])
  await log.settled()
  expect(await stored()).toMatchObject([{ reason: 'rate.exempt' }])
})

test('texts that the database cannot store or index do not block other decisions', async () => {
  const log = makeLog()
  const hostile = `${Array.from({ length: 5000 }, (_, at) => at).join(':')}\0\ud800@evil.test`
  log.record('greylist', decide('greylist.first-contact', { sender: hostile }), {
    ...context,
    ...{ sender: hostile, recipient: hostile, clientAddress: hostile, queueId: hostile, messageId: hostile },
  })
  log.record('rate', decide('rate.exempt'), context)
  await log.settled()
  expect(await stored()).toHaveLength(2)
})
