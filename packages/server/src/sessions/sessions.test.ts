import { expect, test } from 'vitest'
import { makeUser } from '../testing/factories.ts'
import { useTestApp } from '../testing/test-app.ts'

const app = useTestApp()

test('a user signs in with address and password and gets a session', async () => {
  const user = await makeUser(app())
  const { status, body } = await app().call('POST /api/auth/login', {
    body: { email: user.email.toUpperCase(), password: user.password },
  })
  expect(body).toMatchObject({ status: 'success', email: user.email, id: user.id, token_type: 'bearer' })
  expect(status).toBe(200)
})
