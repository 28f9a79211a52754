import { expect, test } from 'vitest'
import { UsageError } from '../../../platform/cli/command.ts'
import { NullBackend } from '../../../provisioning/null-backend.ts'
import { commandLine } from '../../../testing/command-line.ts'
import { useTestApp } from '../../../testing/test-app.ts'

const backend = new NullBackend()
const app = useTestApp({}, backend)
const run = commandLine(app)

test('a public domain is synced to the back end and is unique', async () => {
  await run('domain:create-public', 'Everybody.test')
  await app().jobs.drain()
  expect([...backend.domains.values()]).toMatchObject([{ namespace: 'everybody.test' }])
  await expect(run('domain:create-public', 'everybody.test')).rejects.toThrow(UsageError)
})
