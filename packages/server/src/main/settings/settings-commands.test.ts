import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { SMTPServer } from 'smtp-server'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { textOutput } from '../../platform/cli/answer.ts'
import { type S3Server, startS3Server } from '../../testing/servers/s3-server.ts'
import { unreachableAtStart } from './check-connections.ts'
import { type Environment, loadConfig } from './config.ts'
import { settingsCommands } from './settings-commands.ts'

async function run(name: string, env: Environment, ...args: string[]): Promise<string> {
  const lines: string[] = []
  const command = settingsCommands.find((candidate) => candidate.name === name)
  if (command === undefined) throw new Error(`no command ${name}`)
  await command.run({ env, args, ...textOutput((line) => lines.push(line)) })
  return lines.join('\n')
}

test('prints the settings without secrets', async () => {
  const secrets = {
    ...{ SECRET_KEY: `${'s'.repeat(40)},${'r'.repeat(40)}`, SERVICES_SECRET: 't'.repeat(40) },
    ...{ STRIPE_KEY: 'sk_test_hidden', STRIPE_WEBHOOK_SECRET: 'whsec_hidden' },
    ...{ MOLLIE_KEY: 'test_hidden1234567890', MEET_ENGINE_TOKEN: 'u'.repeat(40) },
    ...{ FILES_S3_KEY: 'hidden-key', FILES_S3_SECRET: 'hidden-secret' },
    ...{ MEET_TURN_SECRET: 'hidden-turn-secret' },
    ...{ DATABASE_URL: 'postgres://me:hidden@localhost/x', SMTP_URL: 'smtp://me:hidden@localhost' },
  }
  const shown = await run('config:show', secrets)
  expect(shown).toContain('APP_NAME=Gatehouse  # ')
  for (const [name, secret] of Object.entries(secrets)) {
    expect(shown).toContain(`${name}=(hidden)`)
    expect(shown).not.toContain(secret)
  }
})

test('checks the settings like a server does', async () => {
  expect(await run('config:check', {})).toBe('All settings are valid.')
  expect(await run('config:check', { APP_THEM: 'dark' })).toContain('Did you mean APP_THEME?')
  await expect(run('config:check', { NODE_ENV: 'production' })).rejects.toThrow(/APP_URL: .*\n.*SMTP_URL: /)
})

describe('external services in the settings', () => {
  let mail: SMTPServer
  let store: S3Server
  let here: Environment

  beforeAll(async () => {
    mail = new SMTPServer({
      authOptional: true,
      hideSTARTTLS: true,
      onAuth: ({ password }, _session, done) =>
        password === 'right' ? done(null, { user: 'me' }) : done(new Error('Wrong password')),
      allowInsecureAuth: true,
    })
    mail.listen(0, '127.0.0.1')
    await once(mail.server, 'listening')
    store = await startS3Server()
    const { endpoint, bucket, accessKey, secretKey } = store.settings
    here = {
      ...{ SMTP_URL: `smtp://127.0.0.1:${portOf(mail)}`, FILESYSTEM_DISK: 's3', FILES_S3_ENDPOINT: endpoint },
      ...{ FILES_S3_BUCKET: bucket, FILES_S3_KEY: accessKey, FILES_S3_SECRET: secretKey },
      FILES_S3_PATH_STYLE: 'true',
    }
  })
  afterAll(async () => {
    mail.close()
    await store[Symbol.asyncDispose]()
  })

  test('are tried on demand, without output on success', async () => {
    expect(await run('config:check', here, '--connect')).toBe('All settings are valid.')
  })

  test.each([
    ['SMTP_URL', { SMTP_URL: 'smtp://me:hunter2@127.0.0.1:1' }, 'connection refused'],
    ['DATABASE_URL', { DATABASE_URL: 'postgres://me:hunter2@127.0.0.1:1/x' }, 'connection refused'],
    ['FILES_S3_BUCKET', { FILES_S3_ENDPOINT: 'http://127.0.0.1:1' }, 'connection refused'],
    ['FILES_S3_BUCKET', { FILES_S3_BUCKET: 'another' }, 'the bucket another'],
    ['MOLLIE_KEY', { MOLLIE_KEY: 'test_hunter2hunter2', MOLLIE_API_URL: 'http://127.0.0.1:1' }, 'no answer'],
  ])('cause a single sentence beginning with %s on failure', async (name, wrong, reason) => {
    const failure = await run('config:check', { ...here, ...wrong }, '--connect').catch(String)
    const lines = failure.split('\n').slice(1)
    expect(lines).toEqual([expect.stringMatching(new RegExp(`^ {2}${name}: .*${reason}`))])
    expect(failure).not.toContain('hunter2')
    expect(await run('config:check', { ...here, ...wrong })).toBe('All settings are valid.')
  })

  test("the mail server's password is not printed on failure", async () => {
    const SMTP_URL = `smtp://me:hunter2@127.0.0.1:${portOf(mail)}`
    const failure = await run('config:check', { ...here, SMTP_URL }, '--connect').catch(String)
    expect(failure).toMatch(/SMTP_URL: can't send mail through 127\.0\.0\.1:\d+: .*Wrong password/)
    expect(failure).not.toContain('hunter2')
  })

  test('delay the start of a server by two seconds at most', async () => {
    const silent = createServer(() => undefined).listen(0, '127.0.0.1')
    await once(silent, 'listening')
    const { port } = silent.address() as AddressInfo // it listens on a port
    const away = { SMTP_URL: `smtp://127.0.0.1:${port}`, FILES_S3_ENDPOINT: `http://127.0.0.1:${port}` }
    const begun = performance.now()
    const problems = await unreachableAtStart(loadConfig({ ...here, ...away }))
    expect(performance.now() - begun).toBeLessThan(4000)
    expect(problems.map((problem) => problem.split(':')[0])).toEqual(['SMTP_URL', 'FILES_S3_BUCKET'])
    silent.close()
  })
})

function portOf({ server }: SMTPServer): number {
  return (server.address() as AddressInfo).port // it listens on a port
}
