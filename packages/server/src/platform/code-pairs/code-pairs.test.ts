import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { useTestApp } from '../../testing/test-app.ts'
import { after, hour } from '../clock.ts'
import { Secrets } from '../secrets.ts'
import { type CodePair, CodePairs } from './code-pairs.ts'

const app = useTestApp()
const kind = { purpose: 'test', table: 'verification_codes', shortLength: 6, tries: 3 } as const
const any = sql<boolean>`true`

let pairs: CodePairs
let pair: CodePair
let id: string

beforeEach(async () => {
  pairs = new CodePairs(app().clock, new Secrets('master'), kind)
  const made = pairs.make()
  ;({ id } = made)
  pair = made
  const now = app().clock.now()
  await app()
    .database.db.insertInto('verificationCodes')
    .values({
      ...{ id, codeHash: made.hash, mode: 'password-reset', active: true, userId: null, creatorId: null },
      ...{ createdAt: now, expiresAt: after(now, hour), usedAt: null },
    })
    .execute()
})

const check = (given: Partial<CodePair> = {}, which = any) =>
  pairs.check(app().database.db, { ...pair, ...given }, which)

test("a pair is recognised from its row alone, regardless of the short code's case", async () => {
  expect(pairs.spell(id)).toEqual({ code: pair.code, shortCode: pair.shortCode })
  expect(await check()).toBe(id)
  expect(await check({ shortCode: pair.shortCode.toLowerCase() })).toBe(id)
})

test('another secret or purpose results in different codes', () => {
  const { clock } = app()
  expect(new CodePairs(clock, new Secrets('other'), kind).spell(id).code).not.toBe(pair.code)
  expect(new CodePairs(clock, new Secrets('master'), { ...kind, purpose: 'x' }).spell(id).code).not.toBe(
    pair.code,
  )
})

test('only wrong attempts are counted, including concurrent ones', async () => {
  for (let times = 0; times < 5; times += 1) expect(await check()).toBe(id)
  await Promise.all(Array.from({ length: 20 }, () => check({ shortCode: 'WRONG2' })))
  expect(await check()).toBeUndefined()
})

test('an expired, used, wrong or excluded code is rejected', async () => {
  expect(await check({ code: 'x' })).toBeUndefined()
  expect(await check({}, sql<boolean>`not active`)).toBeUndefined()
  expect(await pairs.consume(app().database.db, id)).toBe(true)
  expect(await pairs.consume(app().database.db, id)).toBe(false)
  expect(await check()).toBeUndefined()
})

test('a pair expires', async () => {
  app().clock.advance(hour - 1)
  expect(await check()).toBe(id)
  app().clock.advance(1)
  expect(await check()).toBeUndefined()
})
