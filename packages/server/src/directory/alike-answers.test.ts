import { beforeAll, describe, expect, test } from 'vitest'
import { makeAccount, type TestAccount } from '../testing/account-fixture.ts'
import { makeObject } from '../testing/directory-fixture.ts'
import { type MadeUser, makeUser } from '../testing/factories.ts'
import { useTestApp } from '../testing/test-app.ts'

/** Callers who name addresses of other accounts can't find out which of them exist. */

const app = useTestApp()
let account: TestAccount
let stranger: MadeUser
const nobody = 'nobody-at-all@example.test'

beforeAll(async () => {
  account = await makeAccount(app())
  stranger = await makeUser(app())
})

/** Returns status and body of a call with the named address removed. */
async function answerAbout(address: string, route: string, body: (address: string) => unknown) {
  const answer = await account.as('owner', route, body(address))
  return JSON.stringify({ status: answer.status, body: answer.body }).replaceAll(address, '<address>')
}

async function expectAlike(route: string, body: (address: string) => unknown): Promise<void> {
  const [known, unknown] = [stranger.email, nobody]
  expect(await answerAbout(known, route, body)).toBe(await answerAbout(unknown, route, body))
}

describe('responses do not reveal whether an address of another account exists', () => {
  test('in the delegation of a mailbox', async () => {
    const options = { mail: 'read-only' }
    const route = `POST /api/v4/users/${account.member.id}/delegations`
    await expectAlike(route, (email) => ({ email, options }))
  })

  test('in the access rights of a shared folder', async () => {
    const id = await makeObject(account, 'shared-folders')
    const route = `POST /api/v4/shared-folders/${id}/config`
    await expectAlike(route, (address) => ({ acl: [`${address}, read-only`] }))
  })

  test('in the manager of a resource', async () => {
    const id = await makeObject(account, 'resources')
    const route = `POST /api/v4/resources/${id}/config`
    await expectAlike(route, (address) => ({ invitation_policy: `manual:${address}` }))
  })

  test('in the members and senders of a distribution list', async () => {
    const id = await makeObject(account, 'groups')
    const withoutRevision = (address: string) => ({ members: [address] })
    const [known, unknown] = [stranger.email, nobody]
    const statuses: number[] = []
    for (const address of [known, unknown]) {
      const { status } = await account.as('owner', `PUT /api/v4/groups/${id}`, withoutRevision(address))
      statuses.push(status)
    }
    expect(statuses).toEqual([200, 200])
    await expectAlike(`POST /api/v4/groups/${id}/config`, (address) => ({ sender_policy: [address] }))
  })
})
