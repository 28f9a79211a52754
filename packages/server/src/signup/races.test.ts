import { beforeAll, describe, expect, test } from 'vitest'
import { makeDomain } from '../testing/factories.ts'
import { type Applicant, apply, countRows, finish, lastStep } from '../testing/signup/sign-up.ts'
import { type Answer, useTestApp } from '../testing/test-app.ts'

const app = useTestApp()

beforeAll(async () => {
  await makeDomain(app(), 'example.test')
})

/** Expected growth of each table if exactly one sign-up succeeds. */
async function gain(
  act: () => Promise<Answer[]>,
): Promise<{ answers: Answer[]; gained: Record<string, number> }> {
  const before = await countRows(app())
  const answers = await act()
  const after = await countRows(app())
  const gained = Object.fromEntries(
    Object.entries(after).map(([table, rows]) => [table, rows - (before[table] ?? 0)]),
  )
  return { answers, gained }
}

const oneAccount = {
  users: 1,
  addresses: 1,
  wallets: 1,
  user_settings: 6,
  sessions: 1,
  access_tokens: 1,
  refresh_tokens: 1,
  event_log: 1,
  'graphile_worker.jobs': 1,
}

function expectOneWinner(answers: readonly Answer[], errors: object): void {
  const winners = answers.filter((answer) => answer.status === 200)
  const losers = answers.filter((answer) => answer.status !== 200)
  expect(winners).toHaveLength(1)
  for (const loser of losers) {
    expect({ status: loser.status, errors: loser.body.errors }).toEqual({ status: 422, errors })
  }
}

async function applicants(count: number, facts: Record<string, unknown> = {}): Promise<Applicant[]> {
  const list: Applicant[] = []
  for (let made = 0; made < count; made++) list.push(await apply(app(), facts))
  await app().jobs.drain()
  return list
}

describe('concurrent sign-ups', () => {
  test('for the same login: one succeeds, the others get a field error, and nothing is left half-created', async () => {
    const people = await applicants(4)
    const { answers, gained } = await gain(() =>
      Promise.all(people.map((one) => finish(app(), one, { login: 'same' }))),
    )
    expectOneWinner(answers, { login: 'This username isn’t available.' })
    expect(gained).toEqual({ ...oneAccount, domains: 0, entitlements: 7 })
  })

  test('for the same new domain: one succeeds with all its rows, the others create none', async () => {
    const people = await applicants(4, { plan: 'group' })
    const { answers, gained } = await gain(() =>
      Promise.all(
        people.map((one, index) => finish(app(), one, { login: `user${index}`, domain: 'same-domain.test' })),
      ),
    )
    expectOneWinner(answers, { domain: 'This domain isn’t available.' })
    expect(gained).toEqual({ ...oneAccount, domains: 1, entitlements: 8, 'graphile_worker.jobs': 2 })
  })

  test('for the same login in the same new domain', async () => {
    const people = await applicants(3, { plan: 'group' })
    const { answers, gained } = await gain(() =>
      Promise.all(people.map((one) => finish(app(), one, { login: 'boss', domain: 'same-all.test' }))),
    )
    expectOneWinner(answers, { login: 'This username isn’t available.' })
    expect(gained).toEqual({ ...oneAccount, domains: 1, entitlements: 8, 'graphile_worker.jobs': 2 })
  })

  test('with the same code create one account', async () => {
    const [person] = await applicants(1)
    if (person === undefined) throw new Error('one applicant')
    const { answers, gained } = await gain(() => Promise.all([1, 2, 3].map(() => finish(app(), person))))
    expectOneWinner(answers, { short_code: 'This confirmation code has already been used.' })
    expect(gained).toEqual({ ...oneAccount, domains: 0, entitlements: 7 })
  })
})

test('failed sign-ups can be retried with the same code', async () => {
  const [first, second] = await applicants(2)
  if (first === undefined || second === undefined) throw new Error('two applicants')
  const answers = await Promise.all([first, second].map((one) => finish(app(), one, { login: 'wanted' })))
  const loser = answers[0]?.status === 200 ? second : first
  expect((await finish(app(), loser, { login: 'second-choice' })).status).toBe(200)
})

test('a request repeated with its Idempotency-Key creates one account and returns one response', async () => {
  const [person] = await applicants(1)
  if (person === undefined) throw new Error('one applicant')
  const body = lastStep(person)
  const headers = { 'idempotency-key': 'sign-up-of-one-person' }
  const once = () => app().call('POST /api/auth/signup', { body, headers })
  const { answers, gained } = await gain(async () => [await once(), await once()])
  expect(answers[1]?.body).toEqual(answers[0]?.body)
  expect(answers[1]?.headers['idempotency-replayed']).toBe('true')
  expect(gained.users).toBe(1)
})
