import { beforeAll, beforeEach, expect, test } from 'vitest'
import { makeAccount, type TestAccount } from '../../testing/account-fixture.ts'
import { makeObject } from '../../testing/directory-fixture.ts'
import { makeAlias, makeUser } from '../../testing/factories.ts'
import { useTestApp } from '../../testing/test-app.ts'
import type { Arrival } from '../arrival.ts'
import { RecipientLookup } from '../recipients/recipient-lookup.ts'
import { ListSenders } from './list-senders.ts'
import type { SenderAuthentication } from './sender-authentication.ts'

const app = useTestApp()
let account: TestAccount

beforeAll(async () => {
  account = await makeAccount(app())
})
beforeEach(async () => {
  await app().decisions.settled()
  await app().database.db.deleteFrom('mailDecisions').execute()
})

async function makeList(config: Record<string, unknown>, facts: Record<string, unknown> = {}) {
  const id = await makeObject(account, 'groups', facts)
  if (Object.keys(config).length > 0) await account.as('owner', `POST /api/v4/groups/${id}/config`, config)
  const { body } = await account.as('owner', `GET /api/v4/groups/${id}`)
  return { id, email: body.email as string } // guaranteed by the contract
}

function arrival(sender: string, recipient: string): Arrival {
  const client = {
    clientAddress: '192.0.2.7',
    clientName: null,
    helo: 'mail.elsewhere.test',
    queueId: '4XyZ',
  }
  return { ...client, sender, recipient }
}

async function reasonFor(
  sender: string,
  recipient: string,
  authentication: SenderAuthentication | null = {
    method: 'spf',
    domain: sender.slice(sender.lastIndexOf('@') + 1),
  },
) {
  const parts = { ...app(), ...app().database }
  const lists = new ListSenders({ ...parts, recipients: new RecipientLookup(parts) })
  return (await lists.decide({ ...arrival(sender, recipient), authentication }))?.reason
}

test('recipients that are no distribution list are left to other policies', async () => {
  const folder = await makeObject(account, 'shared-folders')
  const { body } = await account.as('owner', `GET /api/v4/shared-folders/${folder}`)
  for (const recipient of [account.member.email, body.email, `nobody@${account.domain}`, 'x', '']) {
    expect(await reasonFor('ann@elsewhere.test', recipient)).toBeUndefined()
  }
})

test('a list without rules is open to everyone, the null sender included', async () => {
  const list = await makeList({})
  expect(await reasonFor('ann@elsewhere.test', list.email, null)).toBe('list.anyone')
  expect(await reasonFor('', list.email, null)).toBe('list.anyone')
})

test('members may send to a list for its members, and colleagues may not', async () => {
  const list = await makeList(
    { members_may_send: true },
    { members: [account.member.email, 'ann@else.test'] },
  )
  expect(await reasonFor(account.member.email, list.email)).toBe('list.member')
  expect(await reasonFor('Ann@Else.test', list.email.toUpperCase())).toBe('list.member')
  expect(await reasonFor('ann@else.test', list.email, null)).toBe('list.unverified-sender')
  expect(await reasonFor(account.controller.email, list.email)).toBe('list.not-allowed')
})

test('the senders of an account are known by their aliases, and those of other accounts are not', async () => {
  const list = await makeList({ sender_policy: [account.domain, 'example.test'] })
  await makeAlias(app(), account.member, `alias@${account.domain}`)
  const stranger = await makeUser(app())
  expect(await reasonFor(`alias@${account.domain}`, list.email)).toBe('list.own-account')
  expect(await reasonFor(stranger.email, list.email)).toBe('list.chosen-sender')
})

test('a suspended list refuses its own members', async () => {
  const list = await makeList({})
  await app()
    .database.db.updateTable('directoryObjects')
    .set({ status: 6 })
    .where('id', '=', list.id)
    .execute()
  expect(await reasonFor(account.member.email, list.email)).toBe('list.suspended')
})

test('a tag is left out unless an object has the address with it', async () => {
  const list = await makeList({ members_may_send: true }, { email: `team@${account.domain}` })
  await makeAlias(app(), account.member, `team+own@${account.domain}`)
  expect(await reasonFor(account.member.email, `team+news@${account.domain}`)).toBe('list.member')
  expect(await reasonFor(account.member.email, `team+own@${account.domain}`)).toBeUndefined()
  expect(list.email).toBe(`team@${account.domain}`)
})

test('each decision is kept for the list', async () => {
  const list = await makeList({ members_may_send: true })
  await reasonFor('ann@elsewhere.test', list.email)
  await app().decisions.settled()
  expect(await app().database.db.selectFrom('mailDecisions').selectAll().execute()).toMatchObject([
    {
      policy: 'list',
      reason: 'list.not-allowed',
      direction: 'in',
      walletId: account.owner.walletId,
      objectKind: 'group',
      objectId: list.id,
      sender: 'ann@elsewhere.test',
      recipient: list.email,
      clientAddress: '192.0.2.7',
      queueId: '4XyZ',
      facts: { members: [], membersMaySend: true },
    },
  ])
})
