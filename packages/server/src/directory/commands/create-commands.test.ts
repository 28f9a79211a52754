import { beforeEach, describe, expect, test } from 'vitest'
import { UsageError } from '../../platform/cli/command.ts'
import { makeAccount, skusOf, type TestAccount } from '../../testing/account-fixture.ts'
import { commandLine } from '../../testing/command-line.ts'
import { useTestApp } from '../../testing/test-app.ts'

const app = useTestApp()
const run = commandLine(app, { SECRET_KEY: 'x'.repeat(64) })
let account: TestAccount

beforeEach(async () => {
  account = await makeAccount(app())
})

const refused = async (message: string, name: string, ...args: string[]) => {
  const attempt = run(name, ...args)
  await expect(attempt, `${name} ${args.join(' ')}`).rejects.toThrow(UsageError)
  await expect(attempt).rejects.toThrow(message)
}

const owner = () => `--owner=${account.owner.email}`

async function reasonOf(id: number): Promise<unknown> {
  const { rows } = await app().database.pool.query(
    `select event, comment from event_log where object_id = $1 and event like '%.created'`,
    [id],
  )
  return rows[0]
}

describe('an operator creates for a customer', () => {
  test('a user with package, names and aliases, who signs in with the printed password', async () => {
    const email = `new@${account.domain}`
    const [line = ''] = await run(
      'user:create',
      email,
      'asked by phone',
      owner(),
      '--package=kolab',
      '--first-name=Ada',
      `--aliases=ada@${account.domain}`,
    )
    const password = line.split(' ').at(-1)
    const login = await app().call('POST /api/auth/login', { body: { email, password } })
    expect(login.status).toBe(200)
    const { body } = await account.as('owner', `GET /api/v4/users/${login.body.id}`)
    expect(body).toMatchObject({ aliases: [`ada@${account.domain}`], settings: { first_name: 'Ada' } })
    expect(await skusOf(app(), login.body.id)).toMatchObject({ mailbox: 1 })
    expect(await reasonOf(login.body.id)).toEqual({ event: 'user.created', comment: 'asked by phone' })
    await refused('already in use', 'user:create', email, owner(), '--package=kolab')
    await refused('--package=', 'user:create', `other@${account.domain}`, owner())
    await refused('--owner=', 'user:create', `other@${account.domain}`)
    await refused('owns no account', 'user:create', `o@${account.domain}`, `--owner=${account.member.email}`)
  })

  test('a technical user without subscriptions', async () => {
    const email = `robot@${account.domain}`
    const [line] = await run('user:create-service', email, 'sends notices')
    expect(line).toContain(`${email} can sign in with the password `)
    const list = await run('user:list', '--role=service')
    expect(list).toEqual([expect.stringContaining(email)])
    await refused('is already taken', 'user:create-service', email)
    await refused('no tenant', 'user:create-service', `x@${account.domain}`, '--tenant=99')
  })

  test('a domain that the owner has to confirm', async () => {
    const name = `more-${account.domain}`
    const [line = ''] = await run('domain:create', name, 'moves to us', owner(), '--package=domain-hosting')
    const id = Number(line.split(' ')[0])
    const { body } = await account.as('owner', `GET /api/v4/domains/${id}`)
    expect(body).toMatchObject({ namespace: name, isConfirmed: false })
    expect(await reasonOf(id)).toEqual({ event: 'domain.created', comment: 'moves to us' })
    await refused('isn’t available', 'domain:create', name, owner(), '--package=domain-hosting')
  })

  test('lists, resources and folders', async () => {
    const { domain, member } = account
    const lines = [
      ...(await run('group:create', `staff@${domain}`, `${member.email},x@elsewhere.test`, 'asked', owner())),
      ...(await run('resource:create', 'Car', domain, 'asked', owner())),
      ...(await run('shared-folder:create', 'Papers', domain, 'mail', 'asked', owner())),
    ]
    const [group = 0, resource = 0, folder = 0] = lines.map((line) => Number(line.split(' ')[0]))
    const { body } = await account.as('owner', `GET /api/v4/groups/${group}`)
    expect(body).toMatchObject({ email: `staff@${domain}`, members: [member.email, 'x@elsewhere.test'] })
    expect(await skusOf(app(), resource)).toEqual({ resource: 1 })
    expect(await reasonOf(folder)).toEqual({ event: 'shared-folder.created', comment: 'asked' })
    await refused('already in use', 'resource:create', 'Car', domain, owner())
    await refused('isn’t valid', 'shared-folder:create', 'Other', domain, 'nonsense', owner())
  })

  test('subscriptions, and removes them', async () => {
    const { email, id } = account.member
    const before = (await skusOf(app(), id)).storage ?? 0
    await run('user:add-sku', email, 'storage', 'a gift', '--units=2')
    expect((await skusOf(app(), id)).storage).toBe(before + 2)
    await run('user:remove-sku', email, 'storage', '--units=1')
    expect((await skusOf(app(), id)).storage).toBe(before + 1)
    const events = await run('event:list', 'user', String(id))
    expect(events).toContainEqual(expect.stringContaining('user.sku-added  -  a gift'))
    expect(events).toContainEqual(expect.stringContaining('user.sku-removed'))
    await refused('that many units', 'user:remove-sku', email, 'storage', '--units=99')
    await refused('already', 'user:add-sku', email, 'mailbox')
    await refused('Not found', 'user:add-sku', email, 'domain-hosting')
  })
})
