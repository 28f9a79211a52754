import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { makeAccount, skusOf, type TestAccount } from '../../testing/account-fixture.ts'
import { makeApiKey } from '../../testing/borrowed.ts'
import { makeObject } from '../../testing/directory-fixture.ts'
import { jobsDue, makeDomain, signInAs } from '../../testing/factories.ts'
import { useTestApp } from '../../testing/test-app.ts'

const app = useTestApp({ APP_WITH_MEET: 'true', API_KEY_RATE: '1000' })
let account: TestAccount

beforeAll(async () => {
  await makeDomain(app(), 'example.test', { type: 1, status: 50 })
})

beforeEach(async () => {
  account = await makeAccount(app())
})

type Who = 'owner' | 'controller' | 'member'

const post = (document: unknown, who: Who = 'owner') => account.as(who, 'POST /api/v4/plans', document)
const apply = (id: string, who: Who = 'owner') => account.as(who, `POST /api/v4/plans/${id}/apply`, {})
const undo = (id: string) => account.as('owner', `POST /api/v4/plans/${id}/undo`, {})
const see = async (id: string) => (await account.as('owner', `GET /api/v4/plans/${id}`)).body
const state = async () => (await account.as('owner', 'GET /api/v4/state')).body

/** Plans a document; fails the test if that is rejected. */
async function planned(document: Record<string, unknown>) {
  const { status, body } = await post({ version: 1, ...document })
  if (status !== 200) throw new Error(JSON.stringify(body))
  return body.plan
}

/** Applies a plan and waits for its end. */
async function applied(id: string) {
  const answer = await apply(id)
  if (answer.status !== 200) throw new Error(JSON.stringify(answer.body))
  await app().jobs.drain()
  return see(id)
}

const reached = async (document: Record<string, unknown>) => applied((await planned(document)).id)

/** Everything that a document can say, for the account of the test. */
const everything = () => {
  const { domain, member, owner } = account
  return {
    domains: [{ name: domain, spf_whitelist: ['.mail.example.com'] }],
    users: [
      {
        email: `jane@${domain}`,
        first_name: 'Jane',
        external_email: 'jane@elsewhere.example',
        aliases: [`j@${domain}`],
        package: 'kolab',
        quota: 7,
        settings: { greylist_enabled: false, limit_geo: ['CH'] },
      },
      { email: member.email, last_name: 'Member', aliases: [`m@${domain}`] },
    ],
    lists: [
      { email: `all@${domain}`, name: 'All', members: [`team@${domain}`, owner.email] },
      {
        email: `team@${domain}`,
        name: 'Team',
        members: [`jane@${domain}`, member.email],
        sender_policy: ['.example.com'],
        members_may_send: true,
      },
    ],
    resources: [{ name: 'Beamer', domain, invitation_policy: `manual:jane@${domain}` }],
    folders: [{ name: 'Plans', domain, type: 'mail', acl: [`jane@${domain}, full`, 'anyone, read-only'] }],
    rooms: [{ description: 'Stand-up', locked: true }],
    policies: { greylist_policy: false, max_password_age: 6 },
  }
}

describe('a plan', () => {
  test('creates and changes everything, and the exported state then needs no change', async () => {
    const plan = await planned(everything())
    expect(plan).toMatchObject({ state: 'ready', total: 9, counts: { create: 6, change: 3 }, canApply: true })
    expect(plan.steps.map(({ kind, label }: { kind: string; label: string }) => `${kind} ${label}`)).toEqual([
      `domains ${account.domain}`,
      `users jane@${account.domain}`,
      `users ${account.member.email}`,
      // a list that is a member of another one comes first
      `lists team@${account.domain}`,
      `lists all@${account.domain}`,
      `resources Beamer (${account.domain})`,
      `folders Plans (${account.domain})`,
      'rooms Stand-up',
      'policies policies',
    ])
    expect(plan.steps[2]).toMatchObject({
      before: { last_name: null, aliases: [] },
      after: { last_name: 'Member', aliases: [`m@${account.domain}`] },
    })
    const done = await applied(plan.id)
    expect(done.steps.flatMap((step: { messages: unknown }) => step.messages)).toEqual([])
    expect(done).toMatchObject({ state: 'applied', canUndo: true })
    const now = await state()
    for (const [kind, wanted] of Object.entries(everything())) {
      if (Array.isArray(wanted)) {
        for (const one of wanted) expect(now[kind]).toContainEqual(expect.objectContaining(sortedLists(one)))
      } else expect(now[kind]).toMatchObject(wanted)
    }
    const wallet = (await account.as('owner', 'POST /api/v4/plans', { version: 1 })).body.plan.price
    expect(wallet.monthly.now).toBe(plan.price.monthly.next)
    for (const document of [everything(), now]) {
      expect(await planned(document)).toMatchObject({ id: null, total: 0, steps: [] })
    }
    const mails = await app().mails()
    expect(
      mails.filter(({ to }) => to.some(({ address }) => address === 'jane@elsewhere.example')),
    ).toHaveLength(1)
  })

  test('changes package and storage of users and shows their price', async () => {
    const email = account.member.email
    const more = await planned({ users: [{ email, quota: 9 }] })
    expect(more.price.monthly.next).toBeGreaterThan(more.price.monthly.now)
    await applied(more.id)
    expect(await skusOf(app(), account.member.id)).toMatchObject({ storage: 9 })
    const lite = await planned({ users: [{ email, package: 'lite' }] })
    await applied(lite.id)
    expect((await skusOf(app(), account.member.id)).groupware).toBeUndefined()
    expect((await state()).users).toContainEqual(
      expect.objectContaining({ email, package: 'lite', quota: 9 }),
    )
  })

  test('deletes only what a complete kind omits, and never the owner or the caller', async () => {
    await reached(everything())
    expect(await planned({ users: [], lists: [] })).toMatchObject({ total: 0 })
    const plan = await planned({ complete: ['users', 'lists', 'folders'], users: [], lists: [], folders: [] })
    expect(plan.counts).toEqual({ create: 0, change: 0, delete: 6, restore: 0 })
    expect(plan.price.monthly.next).toBeLessThan(plan.price.monthly.now)
    expect((await applied(plan.id)).state).toBe('applied')
    const now = await state()
    expect(now.users.map(({ email }: { email: string }) => email)).toEqual([account.owner.email])
    expect(now).toMatchObject({ lists: [], folders: [], resources: [{ invitation_policy: 'accept' }] })
    expect((await post({ version: 1, complete: ['rooms'] })).body.errors).toMatchObject({
      rooms: expect.anything(),
    })
  })

  test('can be undone as a whole', async () => {
    await makeObject(account, 'groups', { email: `old@${account.domain}` })
    const before = await state()
    const { id } = await planned({ complete: ['lists'], ...everything() })
    await applied(id)
    const back = (await undo(id)).body.plan
    expect(back).toMatchObject({
      undoes: id,
      refused: 0,
      counts: { create: 0, restore: 1, delete: 6, change: 3 },
    })
    const undone = await applied(back.id)
    expect(undone.steps.flatMap((step: { messages: unknown }) => step.messages)).toEqual([])
    expect(undone.state).toBe('applied')
    expect(await state()).toEqual(before)
    expect((await undo(id)).status).toBe(409)
    // undoing can be undone too
    expect((await undo(back.id)).body.plan).toMatchObject({ refused: 0, total: 10 })
  })

  test('says which steps can no longer be undone', async () => {
    const email = account.member.email
    const done = await reached({ users: [{ email, phone: '1' }], policies: { itip_policy: true } })
    await reached({ users: [{ email, phone: '2' }] })
    const { plan } = (await undo(done.id)).body
    expect(plan).toMatchObject({ refused: 1, counts: { change: 1 } })
    expect(plan.steps).toMatchObject([
      { kind: 'policies', state: 'ok' },
      {
        kind: 'users',
        state: 'refused',
        messages: [{ text: 'This has changed since the plan was applied.' }],
      },
    ])
    expect((await applied(plan.id)).state).toBe('applied')
    app().clock.advance(31 * 86_400)
    const { access_token: token } = await signInAs(app(), account.owner)
    expect(await app().call(`POST /api/v4/plans/${done.id}/undo`, { token, body: {} })).toMatchObject({
      status: 409,
    })
  })
})

/** Lists are sorted when they are stored. */
function sortedLists(values: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      Array.isArray(value)
        ? expect.arrayContaining(value)
        : isGroup(value)
          ? expect.objectContaining(value)
          : value,
    ]),
  )
}

function isGroup(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}

describe('documents', () => {
  test('are refused with the path of each error', async () => {
    const { domain, member } = account
    const cases: [Record<string, unknown>, string[]][] = [
      [{ version: 2 }, ['version']],
      [{ version: 1, people: [] }, ['people']],
      [{ version: 1, users: [{ email: `a@${domain}`, password: 'secret' }] }, ['users.0.password']],
      [{ version: 1, users: [{ phone: '1' }] }, ['users.0.email']],
      [{ version: 1, users: [{ email: member.email, quota: 'much' }] }, ['users.0.quota']],
      [{ version: 1, users: [{ email: member.email }, { email: member.email.toUpperCase() }] }, ['users.1']],
      [{ version: 1, users: [{ email: `a@${domain}`, package: 'no such' }] }, ['users.0.package']],
      [{ version: 1, users: [{ email: 'a@elsewhere.test', package: 'kolab' }] }, ['users.0.email']],
      [{ version: 1, users: [{ email: member.email, phone: 'call me' }] }, ['users.0.phone']],
      [{ version: 1, users: [{ email: member.email, country: 'XX' }] }, ['users.0.country']],
      [{ version: 1, users: [{ email: member.email, aliases: ['x@elsewhere.test'] }] }, ['users.0.aliases']],
      [
        {
          version: 1,
          users: ['a', 'b'].map((n) => ({
            email: `${n}@${domain}`,
            package: 'kolab',
            aliases: [`x@${domain}`],
          })),
        },
        ['users.1'],
      ],
      [{ version: 1, domains: [{ name: 'not a name' }] }, ['domains.0.namespace']],
      [
        {
          version: 1,
          domains: [{ name: 'new.test', package: 'domain-hosting' }],
          users: [{ email: 'a@new.test', package: 'kolab' }],
        },
        ['users.0.email'],
      ],
      [{ version: 1, domains: [], complete: ['domains'] }, ['complete.domains']],
      [
        { version: 1, lists: [{ email: `l@${domain}`, name: 'L', members: [`nobody@${domain}`] }] },
        ['lists.0.members'],
      ],
      [
        {
          version: 1,
          complete: ['users'],
          users: [],
          lists: [{ email: `l@${domain}`, name: 'L', members: [member.email] }],
        },
        ['lists.0.members'],
      ],
      [
        { version: 1, resources: [{ name: 'A', domain, invitation_policy: 'maybe' }] },
        ['resources.0.invitation_policy'],
      ],
      [{ version: 1, folders: [{ name: 'A', domain, acl: ['anyone, everything'] }] }, ['folders.0.acl']],
      [{ version: 1, folders: [{ name: 'A', domain, type: 'box' }] }, ['folders.0.type']],
      [{ version: 1, rooms: [{ name: 'aaa-bbb-ccc' }] }, ['rooms.0.name']],
      [{ version: 1, rooms: [{ locked: true }] }, ['rooms.0.description']],
      [{ version: 1, policies: { password_policy: 'min:x' } }, ['policies.password_policy']],
      [{ version: 1, policies: null }, ['policies']],
      [{ version: 1, users: { '0': {} } }, ['users']],
    ]
    for (const [document, paths] of cases) {
      const { status, body } = await post(document)
      expect([document, status, Object.keys(body.errors ?? {})]).toEqual([document, 422, paths])
    }
    expect((await state()).users).toHaveLength(3)
  })

  test('that are too large are refused', async () => {
    const users = Array.from({ length: 10_000 }, (_, n) => ({
      email: `u${n}@${account.domain}`,
      package: 'kolab',
    }))
    const big = await post({ version: 1, users })
    expect(big).toMatchObject({ status: 422, body: { errors: { document: expect.anything() } } })
    const many = Array.from({ length: 20_001 }, (_, n) => ({ description: `Room ${n}` }))
    expect((await post({ version: 1, rooms: many })).body.errors).toMatchObject({
      document: expect.anything(),
    })
    expect((await post(`{"version": 1, "people": "${'x'.repeat(8 * 1024 * 1024)}"}`)).status).toBe(413)
    expect((await post('version: 1')).status).toBe(400)
    expect((await post('[]')).status).toBe(422)
    expect((await post(`${'['.repeat(100_000)}${']'.repeat(100_000)}`)).status).toBe(422)
    expect((await post(`{"a": ${'['.repeat(100_000)}${']'.repeat(100_000)}}`)).status).toBe(400)
  })

  test('beyond the monthly limit of the owner are refused', async () => {
    const user = { email: `rich@${account.domain}`, package: 'kolab' }
    const plan = await planned({ users: [user] })
    const ceiling = await account.as('owner', `PUT /api/v4/wallets/${account.owner.walletId}/settings`, {
      monthly_ceiling: plan.price.monthly.next - 1,
    })
    expect(ceiling.status).toBe(200)
    expect((await post({ version: 1, users: [user] })).status).toBe(422)
    // the terms have changed
    expect((await apply(plan.id)).status).toBe(409)
  })
})

describe('applying', () => {
  const phone = (number: string) => ({ users: [{ email: account.member.email, phone: number }] })

  test('twice and at the same time has the effect of applying once', async () => {
    const { id } = await planned({ users: [{ email: `once@${account.domain}`, package: 'kolab' }] })
    const answers = await Promise.all([apply(id), apply(id), apply(id, 'controller')])
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
    await app().jobs.drain()
    expect((await apply(id)).body.plan.state).toBe('applied')
    await app().jobs.drain()
    const { body } = await account.as('owner', `GET /api/v4/users?search=once@${account.domain}`)
    expect(body.total).toBe(1)
  })

  test('is refused after an hour, after a change, and after another plan', async () => {
    const [first, second] = [await planned(phone('1')), await planned(phone('2'))]
    await applied(first.id)
    expect((await apply(second.id)).status).toBe(409)
    const third = await planned(phone('3'))
    await account.as('owner', `PUT /api/v4/users/${account.controller.id}`, { last_name: 'Other' })
    expect(await apply(third.id)).toMatchObject({
      status: 409,
      body: { message: expect.stringContaining('changed') },
    })
    const fourth = await planned(phone('4'))
    app().clock.advance(3600)
    const { access_token: token } = await signInAs(app(), account.owner)
    const path = `/api/v4/plans/${fourth.id}`
    expect((await app().call(`POST ${path}/apply`, { token, body: {} })).status).toBe(409)
    expect((await app().call(`GET ${path}`, { token })).body).toMatchObject({
      state: 'expired',
      canApply: false,
    })
  })

  test('changes nothing at all if the account changes at the last moment', async () => {
    const { id } = await planned({ ...phone('5'), rooms: [{ description: 'Late' }] })
    await apply(id)
    await account.as('owner', `PUT /api/v4/users/${account.member.id}`, { phone: '99' })
    await app().jobs.drain()
    const after = await see(id)
    expect(after.state).toBe('failed')
    expect(after.steps.map((step: { state: string }) => step.state)).toEqual(['failed', 'skipped'])
    expect(await state()).toMatchObject({ rooms: [] })
    expect((await apply(id)).status).toBe(409)
  })

  test('changes nothing at all if a step fails', async () => {
    const { domain } = account
    const { id } = await planned({
      users: [{ email: `first@${domain}`, package: 'kolab' }],
      lists: ['a', 'b'].map((name, index) => ({
        email: `${name}@${domain}`,
        name,
        members: [`${['b', 'a'][index]}@${domain}`],
      })),
    })
    await apply(id)
    await app().jobs.drain()
    const after = await see(id)
    expect(after.state).toBe('failed')
    expect(after.steps.map((step: { state: string }) => step.state)).toEqual(['skipped', 'failed', 'skipped'])
    expect((await state()).users).toHaveLength(3)
  })

  test('begins again if the database connection dies in the middle', async () => {
    const users = ['a', 'b', 'c'].map((name) => ({ email: `${name}@${account.domain}`, package: 'kolab' }))
    const { id, price } = await planned({ users, rooms: [{ description: 'Killed' }] })
    const { pool } = app().database
    await pool.query(`create function die() returns trigger language plpgsql as $$ begin
        if new.email = 'b@${account.domain}' then perform pg_terminate_backend(pg_backend_pid()); end if;
        return new;
      end $$;
      create trigger die before insert on users for each row execute function die()`)
    await apply(id)
    await app().jobs.drain()
    expect(await see(id)).toMatchObject({ state: 'applying' })
    expect((await state()).users).toHaveLength(3)
    await pool.query('drop trigger die on users; drop function die')
    await jobsDue(app())
    await app().jobs.drain()
    expect(await see(id)).toMatchObject({ state: 'applied' })
    const now = await state()
    expect([now.users.length, now.rooms.length]).toEqual([6, 1])
    const { plan } = (await post({ version: 1 })).body
    expect(plan.price.monthly.now).toBe(price.monthly.next)
  })

  test('is for controllers of the account', async () => {
    const { id } = await planned(phone('6'))
    expect((await post({ version: 1, ...phone('7') }, 'member')).status).toBe(403)
    expect((await account.as('member', 'GET /api/v4/state')).status).toBe(403)
    expect((await apply(id, 'member')).status).toBe(403)
    const stranger = await makeAccount(app())
    for (const call of ['apply', 'undo']) {
      expect((await stranger.as('owner', `POST /api/v4/plans/${id}/${call}`, {})).status).toBe(403)
    }
    expect((await stranger.as('owner', `GET /api/v4/plans/${id}/steps`)).status).toBe(403)
    expect((await account.as('owner', 'GET /api/v4/plans/none')).status).toBe(404)
    // controllers other than the owner can't change the owner
    expect(
      (await post({ version: 1, users: [{ email: account.owner.email, phone: '1' }] }, 'controller')).body
        .errors,
    ).toMatchObject({ 'users.0': expect.anything() })
    expect((await account.as('owner', `POST /api/v4/batches/${id}/start`, {})).status).toBe(409)
  })
})

describe('API keys', () => {
  test('can plan exactly what their scopes allow by single calls', async () => {
    const { domain } = account
    const key = await makeApiKey(app(), account.owner, { scopes: ['desired-state:write', 'users:write'] })
    const send = (document: Record<string, unknown>) =>
      app().call('POST /api/v4/plans', { token: key, body: { version: 1, ...document } })
    const user = { email: `robot@${domain}`, package: 'kolab' }
    const refused: [Record<string, unknown>, string][] = [
      [{ lists: [{ email: `l@${domain}`, name: 'L', members: [account.member.email] }] }, 'lists.0'],
      [{ users: [{ ...user, external_email: 'robot@elsewhere.example' }] }, 'users.0'],
      [{ users: [{ email: account.member.email, settings: { limit_geo: ['CH'] } }] }, 'users.0'],
      [{ policies: { password_policy: 'min:12,max:200' } }, 'policies'],
      [{ folders: [{ name: 'F', domain, acl: ['anyone, full'] }] }, 'folders.0'],
    ]
    for (const [document, path] of refused) {
      expect([document, Object.keys((await send(document)).body.errors ?? {})]).toEqual([document, [path]])
    }
    const { plan } = (await send({ users: [user] })).body
    const { body } = await app().call(`POST /api/v4/plans/${plan.id}/apply`, { token: key, body: {} })
    expect(body.plan.state).toBe('applying')
    await app().jobs.drain()
    expect((await see(plan.id)).state).toBe('applied')
    const events = await account.as('owner', `GET /api/v4/events?search=robot@${domain}`)
    expect(JSON.stringify(events.body)).toContain('Backup')
    const readOnly = await makeApiKey(app(), account.owner, { scopes: ['desired-state:read'] })
    expect((await app().call('GET /api/v4/state', { token: readOnly })).status).toBe(200)
    expect((await app().call('POST /api/v4/plans', { token: readOnly, body: {} })).status).toBe(403)
  })
})
