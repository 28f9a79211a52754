import { Registry } from 'prom-client'
import { beforeAll, expect, test } from 'vitest'
import { makeDomain, makeUser } from '../../testing/factories.ts'
import { limitGeo, nginxVerdict, saslVerdict, withMailServices } from '../../testing/servers/mail-services.ts'
import { useTestApp } from '../../testing/test-app.ts'
import { MailSignInRefused } from './mail-sign-in.ts'
import { Outcomes } from './outcomes.ts'

const app = useTestApp(withMailServices)

beforeAll(async () => {
  await makeDomain(app(), 'example.test')
})

test('metrics count the outcomes of sign-ins by service', async () => {
  const user = await makeUser(app())
  const right = { login: user.email, password: user.password }
  await nginxVerdict(app(), right)
  await nginxVerdict(app(), { ...right, protocol: 'smtp' })
  await nginxVerdict(app(), { ...right, password: 'wrong' })
  await nginxVerdict(app(), { ...right, login: 'nobody@example.test' })
  await saslVerdict(app(), right)
  await limitGeo(app(), user, ['US'])
  await nginxVerdict(app(), right)
  await nginxVerdict(app(), { ...right, protocol: 'made up' })
  const { body } = await app().call('GET /api/webhooks/metrics')
  const lines = String(body)
    .split('\n')
    .filter((line) => line.startsWith('gatehouse_mail_sign_ins_total{'))
  const of = (service: string, outcome: string, count: number) =>
    `gatehouse_mail_sign_ins_total{service="${service}",outcome="${outcome}"} ${count}`
  expect(lines.sort()).toEqual(
    [
      of('imap', 'accepted', 1),
      of('smtp', 'accepted', 1),
      of('imap', 'password', 1),
      of('imap', 'notfound', 1),
      of('sasl', 'accepted', 1),
      of('imap', 'geolocation', 1),
      of('unknown', 'unreadable', 1),
    ].sort(),
  )
})

test('the log contains who was rejected, why and where, but no credentials', () => {
  const lines: unknown[] = []
  const write = (...line: unknown[]) => lines.push(line)
  const log = { fatal: write, error: write, warn: write, info: write, debug: write }
  const outcomes = new Outcomes(new Registry(), log)
  expect(outcomes.read(new MailSignInRefused('password', 7), 'imap', { ip: '192.0.2.1' })).toBe('refused')
  expect(outcomes.read(new MailSignInRefused('notfound'), 'smtp', {})).toBe('refused')
  expect(() => outcomes.read(new Error('a fault of ours'), 'smtp', {})).toThrow('a fault of ours')
  expect(lines).toEqual([
    [{ service: 'imap', ip: '192.0.2.1', reason: 'password', userId: 7 }, 'mail sign-in refused'],
    [{ service: 'smtp', reason: 'notfound' }, 'mail sign-in refused'],
  ])
})
