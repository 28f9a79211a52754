import { beforeEach, expect, test } from 'vitest'
import { z } from 'zod'
import { jobsDue } from '../../testing/factories.ts'
import { useTestApp } from '../../testing/test-app.ts'
import { enqueueAll } from './enqueue.ts'
import { defineJob } from './job.ts'

const app = useTestApp()

const note = defineJob('test:note', z.object({ text: z.string() }), 3)
const broken = defineJob('test:broken', z.object({ text: z.string() }), 3)
let notes: string[] = []

beforeEach(async () => {
  notes = []
  await app().database.pool.query('delete from graphile_worker._private_jobs')
  app().jobs.handle(note, async ({ text }) => {
    notes.push(text)
  })
  app().jobs.handle(broken, async ({ text }) => {
    notes.push(text)
    throw new Error(`cannot ${text}`)
  })
})

const enqueue = (text: string, options = {}) => app().jobs.enqueue(app().database.db, note, { text }, options)

test('a job runs once with its payload', async () => {
  await enqueue('hostile \ud83d\ude00 \ud800 "quotes" \\ {x} %')
  await app().jobs.drain()
  await app().jobs.drain()
  expect(notes).toEqual(['hostile \ud83d\ude00 \ud800 "quotes" \\ {x} %'])
})

test('a job exists only if its transaction commits', async () => {
  const failed = app()
    .database.db.transaction()
    .execute(async (trx) => {
      await app().jobs.enqueue(trx, note, { text: 'rolled back' })
      throw new Error('no')
    })
  await expect(failed).rejects.toThrow('no')
  await app().jobs.drain()
  expect(notes).toEqual([])
})

test('jobs of one queue run in order', async () => {
  for (let turn = 1; turn <= 5; turn++) await enqueue(String(turn), { queue: 'line' })
  await app().jobs.drain()
  expect(notes).toEqual(['1', '2', '3', '4', '5'])
})

test('a second job with the same key replaces the first', async () => {
  await enqueue('first', { key: 'same' })
  await enqueue('second', { key: 'same' })
  await app().jobs.drain()
  expect(notes).toEqual(['second'])
})

test('a delayed job waits until it is due', async () => {
  await enqueue('later', { runAt: new Date(Date.now() + 3_600_000) })
  await app().jobs.drain()
  expect(notes).toEqual([])
  await jobsDue(app())
  await app().jobs.drain()
  expect(notes).toEqual(['later'])
})

test('a failing job is retried with increasing delays, then listed as dead with its error', async () => {
  await app().jobs.enqueue(app().database.db, broken, { text: 'work' })
  await app().jobs.drain()
  expect(await app().jobs.failed()).toEqual([
    {
      id: expect.any(String),
      name: 'test:broken',
      attempts: 1,
      maxAttempts: 3,
      error: expect.stringContaining('cannot work'),
      dead: false,
    },
  ])
  await app().jobs.drain()
  expect(notes).toHaveLength(1)
  for (const attempts of [2, 3]) {
    await jobsDue(app())
    await app().jobs.drain()
    expect(await app().jobs.failed()).toMatchObject([{ attempts, dead: attempts === 3 }])
  }
  await jobsDue(app())
  await app().jobs.drain()
  expect(notes).toHaveLength(3)
})

test('a job replaces a dead letter with the same key', async () => {
  const again = (text: string) =>
    app().jobs.enqueue(app().database.db, broken, { text }, { key: 'same', queue: 'line' })
  await again('work')
  for (let turn = 1; turn <= 4; turn++) {
    await app().jobs.drain()
    await jobsDue(app())
  }
  expect(await app().jobs.failed()).toMatchObject([{ attempts: 3, dead: true }])
  await again('rest')
  expect(await app().jobs.failed()).toEqual([])
  await app().jobs.drain()
  expect(notes).toEqual(['work', 'work', 'work', 'rest'])
  expect(await app().jobs.failed()).toMatchObject([{ attempts: 1, dead: false }])
})

test('many jobs are enqueued at once', async () => {
  const many = Array.from({ length: 40 }, (_, index) => ({
    payload: { text: String(index) },
    queue: 'line',
    key: `many:${index}`,
  }))
  await enqueueAll(app().database.db, note, many)
  await enqueueAll(app().database.db, note, [])
  await app().jobs.drain()
  expect(notes).toEqual(many.map(({ payload }) => payload.text))
})

test('an invalid payload fails only its own job', async () => {
  await app().database.pool.query(`select graphile_worker.add_job('test:note', '{"text": 5}')`)
  await enqueue('fine')
  await app().jobs.drain()
  expect(notes).toEqual(['fine'])
  expect(await app().jobs.failed()).toMatchObject([{ name: 'test:note', dead: false }])
})

test('running jobs are reported as running', async () => {
  expect(app().jobs.isRunning).toBe(false)
  await app().jobs.start(1)
  expect(app().jobs.isRunning).toBe(true)
  await app().jobs.stop()
  expect(app().jobs.isRunning).toBe(false)
})
