import { expect, test } from 'vitest'
import { makeAccount } from '../../testing/account-fixture.ts'
import { newObject } from '../../testing/directory-fixture.ts'
import { useTestApp } from '../../testing/test-app.ts'

const app = useTestApp({ APP_WITH_GROUPWARE_FOLDERS: '0' })

test('without groupware folders only mail folders are offered', async () => {
  const account = await makeAccount(app())
  const create = (type: string) =>
    account.as('owner', 'POST /api/v4/shared-folders', newObject(account, 'shared-folders', { type }))
  expect((await create('event')).body.errors).toEqual({ type: ['This entry isn’t valid.'] })
  expect((await create('mail')).status).toBe(200)
})
