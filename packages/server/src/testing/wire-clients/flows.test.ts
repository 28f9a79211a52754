import { beforeAll, describe, expect, test } from 'vitest'
import { loadConfig } from '../../main/settings/config.ts'
import { makeDemoFiles } from '../../operator/demo/demo-files.ts'
import { loadDemo } from '../../operator/demo/load-demo.ts'
import { makeUser } from '../factories.ts'
import { SilentEngine } from '../servers/silent-engine.ts'
import { useTestApp } from '../test-app.ts'
import { accountFlows } from './account-flows.ts'
import { goThrough } from './flow.ts'
import { guestFlows } from './guest-flows.ts'
import { staffFlows } from './staff-flows.ts'
import { useFlows } from './use-flows.ts'

const app = useTestApp({ APP_WITH_SIGNUP: '1' })

beforeAll(async () => {
  const { database, clock, hasher, secrets, dataDir } = app()
  const config = loadConfig({ DATA_DIR: dataDir })
  await loadDemo(database.db, clock, hasher, { config, secrets })
  await makeDemoFiles({ db: database.db, clock, config, secrets })
  await makeUser(app(), { email: 'reset@example.test', settings: { external_email: 'reset@elsewhere.test' } })
  app().meetings.engines.pool.add(new SilentEngine())
})

describe.each([
  ['a guest', guestFlows],
  ['an account', accountFlows],
  ['its use', useFlows],
  ['staff', staffFlows],
])('a client written for the original API: %s', (_, flows) => {
  test.each(flows.map((flow) => [flow.name, flow] as const))('%s', async (__, flow) => {
    await goThrough(app(), flow)
  })
})

test('flow names are unique', () => {
  const names = [...guestFlows, ...accountFlows, ...useFlows, ...staffFlows].map(({ name }) => name)
  expect(new Set(names).size).toBe(names.length)
})
