import { expect, test } from 'vitest'
import { makeUser, signInAs } from '../../testing/factories.ts'
import { useTestApp } from '../../testing/test-app.ts'

const app = useTestApp()

const whoAmI = (token: string) => app().call('GET /api/auth/info', { token })

test('concurrent requests each get the user of their own token', async () => {
  const users = await Promise.all(Array.from({ length: 12 }, () => makeUser(app())))
  const tokens = await Promise.all(users.map(async (user) => (await signInAs(app(), user)).access_token))
  const asked = [...tokens, 'nobody', ...tokens, 'nobody']
  const answers = await Promise.all(asked.map(whoAmI))
  expect(answers.map(({ status, body }) => (status === 200 ? body.id : status))).toEqual([
    ...users.map((user) => user.id),
    401,
    ...users.map((user) => user.id),
    401,
  ])
})

test('more concurrent requests than fit in one statement are all answered', async () => {
  const user = await makeUser(app())
  const { access_token: token } = await signInAs(app(), user)
  const answers = await Promise.all(Array.from({ length: 250 }, () => whoAmI(token)))
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
})
