import { beforeAll, describe, expect, test } from 'vitest'
import { commandLine, declaredCommands } from '../../testing/command-line.ts'
import { type MadeUser, makeDomain, makeUser } from '../../testing/factories.ts'
import { useTestApp } from '../../testing/test-app.ts'
import { commandList } from './command-list.ts'
import { parseUsage } from './usage.ts'

const app = useTestApp()
// a port that nothing listens on
const run = commandLine(app, { DNS_SERVERS: '127.0.0.1:1', DNS_TIMEOUT: '150' })
let owner: MadeUser

beforeAll(async () => {
  await makeDomain(app(), 'example.test')
  owner = await makeUser(app(), { email: 'owner@example.test' })
})

/** Commands that only read, with arguments: those without any that read are found by their names. */
const reading: Readonly<Record<string, readonly string[]>> = {
  'api-key:list': ['owner@example.test'],
  'db:status': [],
  'dkim:show': ['example.test'],
  'dkim:zone': ['example.test'],
  'event:list': ['user', 'owner@example.test'],
  'mail-filters:show': ['owner@example.test'],
  'mail:held': [],
  'mail:imports': ['owner@example.test'],
  'mandate:show': ['owner@example.test'],
  'payment:alarms': [],
  'payment:list': ['owner@example.test'],
  'ratelimit:exemptions': [],
  'room:meetings': [],
  'stats:chart': ['users'],
  'tenant:list-settings': ['0'],
  'tenant:names': ['0'],
  'tenant:settlement': ['0', '2026-03'],
  'user:find': ['owner'],
  'vat:report': ['2026'],
  'wallet:balances': [],
  'wallet:controllers': ['owner@example.test'],
  'webhook:list': ['owner@example.test'],
}

const isList = (name: string) => /:(?:list|list-\w+|show)$/.test(name)

describe('with --json', () => {
  const lists = commandList.filter(
    ({ name, needs }) => needs === 0 && isList(name) && !name.startsWith('config:'),
  )
  const calls = { ...Object.fromEntries(lists.map(({ name }) => [name, []])), ...reading }

  test.each(Object.entries(calls))('%s %j answers with facts', async (name, args) => {
    const lines = await run(name, ...args, '--json').catch((error: unknown) => {
      // a component may be down where the tests run
      if (name !== 'health:show') throw error
      return ['{}']
    })
    expect(JSON.parse(lines.join('\n'))).not.toHaveProperty('messages')
  })

  test('a command that changes something answers with its sentences', async () => {
    const [line = ''] = await run('user:suspend', owner.email, 'abuse', '--json')
    expect(JSON.parse(line)).toEqual({ messages: [`${owner.email}: suspend`] })
  })

  test('every command that shows something is tried here', () => {
    const others = new Set([
      // needs a price change
      'price-change:show',
      // answers with sentences
      'greylist:show',
    ])
    const shown = commandList.filter(
      ({ name, needs }) => needs > 0 && isList(name) && !Object.hasOwn(calls, name) && !others.has(name),
    )
    expect(shown).toEqual([])
  })
})

test('no command has its own option --json', () => {
  expect(commandList.filter(({ usage }) => usage.includes('--json'))).toEqual([])
})

describe('secrets', () => {
  const secret =
    /<[^>]*\b(?:password|passphrase|secret|token|key|pin|credentials?)\b|--[a-z-]*(?:password|secret|token)/

  // tokens that are published, and keys against booking twice, protect nothing
  const harmless = new Set(['signup-token:revoke', 'signup-token:create'])

  test('are never arguments', () => {
    const asking = commandList.filter(({ name, usage }) => secret.test(usage) && !harmless.has(name))
    expect(asking).toEqual([])
    expect(secret.test('user:password <address> <new password>')).toBe(true)
  })

  test('are the name of a file at most', () => {
    const options = commandList.flatMap(({ usage }) => parseUsage(usage).options.map(({ name }) => name))
    expect([...new Set(options.filter((name) => /pass|secret|token/.test(name)))]).toEqual([
      'passphrase-file',
    ])
  })
})

test('each command prints its own usage', async () => {
  for (const { name, usage, summary, needs } of await declaredCommands()) {
    expect(usage.split(' ')[0]).toBe(name)
    expect(summary, name).toMatch(/^\S.*[^.]$/)
    expect(usage.split(' ').length, name).toBeGreaterThan(needs)
  }
}, 60_000)
