import { expect, test } from 'vitest'
import { loadConfig } from '../config.ts'
import { signInAs } from '../testing/factories.ts'
import { useTestApp } from '../testing/test-app.ts'
import { demoPassword, demoUsers } from './demo-data.ts'
import { loadDemo } from './load-demo.ts'

const app = useTestApp()

test('the demo is loaded once; everybody of it may sign in, and the delegate acts for the owner', async () => {
  const load = () => loadDemo(app().database.db, app().clock, app().hasher, loadConfig({}))
  expect([await load(), await load()]).toEqual([true, false])
  for (const { email } of demoUsers) {
    const { access_token: token, id } = await signInAs(app(), { email, password: demoPassword })
    const { body } = await app().call(`GET /api/v4/users/${id}/delegators`, { token })
    const names = body.list.map((one: { name: string }) => one.name)
    expect(names, email).toEqual(email === 'ned@acme.test' ? ['Olivia Berger'] : [])
  }
})
