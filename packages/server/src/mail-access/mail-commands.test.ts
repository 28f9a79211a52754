import { expect, test } from 'vitest'
import { commandLine } from '../testing/command-line.ts'
import { useTestApp } from '../testing/test-app.ts'

const app = useTestApp()

test('an operator sees the MTA-STS policy with a record that changes along with it', async () => {
  const [record, ...policy] = await commandLine(app)('mta-sts:show')
  expect(record).toMatch(/^_mta-sts\.<domain> {2}TXT {2}"v=STSv1; id=[0-9a-f]{20}"$/)
  const served = await app().call('GET /.well-known/mta-sts.txt')
  expect(policy.map((line) => line.trim())).toEqual(served.body.trimEnd().split('\n'))
  const [other] = await commandLine(app, { MTA_STS_MODE: 'testing' })('mta-sts:show')
  expect(other).not.toBe(record)
})
