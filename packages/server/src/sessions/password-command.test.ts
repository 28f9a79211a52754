import { expect, test } from 'vitest'
import { NullBackend } from '../provisioning/null-backend.ts'
import { commandLine } from '../testing/command-line.ts'
import { makeUser } from '../testing/factories.ts'
import { useTestApp } from '../testing/test-app.ts'

const entered = 'brand-new-1'
const backend = new NullBackend()
const app = useTestApp({}, backend)
const run = commandLine(app, {}, entered)

test('a password set by an operator is synced to the back end', async () => {
  const user = await makeUser(app())
  await run('user:password', user.email)
  await app().jobs.drain()
  expect(backend.calls).toEqual([{ name: 'updateUser', userId: user.id }])
  const { status } = await app().call('POST /api/auth/login', {
    body: { email: user.email, password: entered },
  })
  expect(status).toBe(200)
})

test('a password on the command line, where others can read it, is rejected', async () => {
  const user = await makeUser(app())
  const refused = run('user:password', user.email, 'brand-new-1')
  await expect(refused).rejects.toThrow("user:password doesn't accept a password as an argument")
  expect((await app().call('POST /api/auth/login', { body: user })).status).toBe(200)
})
