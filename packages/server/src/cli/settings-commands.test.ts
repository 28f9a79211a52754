import { expect, test } from 'vitest'
import type { Environment } from '../config.ts'
import { settingsCommands } from './settings-commands.ts'

function run(name: string, env: Environment): string {
  const lines: string[] = []
  const command = settingsCommands.find((candidate) => candidate.name === name)
  if (command === undefined) throw new Error(`no command ${name}`)
  command.run({ env, print: (line) => lines.push(line) })
  return lines.join('\n')
}

test('the settings are shown without a secret', () => {
  const secrets = {
    ...{ SECRET_KEY: `${'s'.repeat(40)},${'r'.repeat(40)}`, SERVICES_SECRET: 't'.repeat(40) },
    ...{ STRIPE_KEY: 'sk_test_hidden', STRIPE_WEBHOOK_SECRET: 'whsec_hidden' },
    ...{ MOLLIE_KEY: 'test_hidden1234567890', MEET_ENGINE_TOKEN: 'u'.repeat(40) },
    ...{ FILES_S3_KEY: 'hidden-key', FILES_S3_SECRET: 'hidden-secret' },
    ...{ MEET_TURN_SECRET: 'hidden-turn-secret' },
    ...{ DATABASE_URL: 'postgres://me:hidden@localhost/x', SMTP_URL: 'smtp://me:hidden@localhost' },
  }
  const shown = run('config:show', secrets)
  expect(shown).toContain('APP_NAME=Gatehouse  # ')
  for (const [name, secret] of Object.entries(secrets)) {
    expect(shown).toContain(`${name}=(hidden)`)
    expect(shown).not.toContain(secret)
  }
})

test('the settings are checked as a server checks them', () => {
  expect(run('config:check', {})).toBe('All settings are right.')
  expect(run('config:check', { APP_THEM: 'dark' })).toContain('did you mean APP_THEME?')
  expect(() => run('config:check', { NODE_ENV: 'production' })).toThrow(/APP_URL: .*\n.*SMTP_URL: /)
})
