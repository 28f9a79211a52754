import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { accountDocument } from '@gatehouse/contract/directory/plans'
import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { withOutput } from '../../platform/cli/answer.ts'
import { makeAccount, type TestAccount } from '../../testing/account-fixture.ts'
import { makeApiKey } from '../../testing/borrowed.ts'
import { makeDomain } from '../../testing/factories.ts'
import { useTestApp } from '../../testing/test-app.ts'
import { DocumentUnreadable, parseDocumentFile, spellDocument } from './document-file.ts'
import { planCommands } from './plan-commands.ts'

describe('files', () => {
  test('in YAML and JSON mean the same', () => {
    const document = { version: 1, users: [{ email: 'a@b.test', aliases: [], quota: 5, phone: '+41 44' }] }
    expect(parseDocumentFile(JSON.stringify(document))).toEqual(document)
    expect(parseDocumentFile(spellDocument(document))).toEqual(document)
  })

  test('keep every text when they are written and read again', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue(), { noNullPrototype: true }), (value) => {
        const sent = JSON.parse(JSON.stringify(value)) as Record<string, unknown> // as in an answer
        expect(parseDocumentFile(spellDocument(sent))).toEqual(sent)
      }),
      { numRuns: 30 },
    )
  })

  test.each([
    ['aliases that multiply', `a: &a [x]\nb: &b [${'*a,'.repeat(9)}]\nc: [${'*b,'.repeat(9)}]`],
    ['tags', 'a: !!js/function "() => 1"'],
    ['unknown tags', 'a: !secret x'],
    ['repeated keys', 'a: 1\na: 2'],
    ['several documents', 'a: 1\n---\nb: 2'],
    ['broken syntax', 'a: [1, 2'],
    ['deep nesting', `a: ${'['.repeat(5000)}`],
    ['nothing', ''],
    ['a list', '- a'],
    ['too much', `a: ${'x'.repeat(8 * 1024 * 1024)}`],
  ])('with %s are refused', (_, text) => {
    expect(() => parseDocumentFile(text)).toThrow(DocumentUnreadable)
  })
})

describe('the command line', () => {
  const app = useTestApp()
  let account: TestAccount
  let key: string
  let url: string

  beforeAll(async () => {
    await makeDomain(app(), 'example.test', { type: 1, status: 50 })
    account = await makeAccount(app())
    key = await makeApiKey(app(), account.owner)
    url = await app().fastify.listen({ port: 0, host: '127.0.0.1' })
  })

  /** Runs a command with a file; returns what it prints. */
  async function run(name: string, ...args: string[]): Promise<string> {
    const command = planCommands.find((one) => one.name === name)
    const lines: string[] = []
    const context = { env: { APP_URL: url }, readSecret: async () => key }
    await withOutput(
      args,
      (line) => lines.push(line),
      async (rest, output) => command?.run({ ...context, ...output, args: rest }),
    )
    return lines.join('\n')
  }

  async function fileOf(text: string): Promise<string> {
    const path = join(app().dataDir, 'account.yaml')
    await writeFile(path, text)
    return path
  }

  test('applies the example of the documentation, and exports a state that needs no change', async () => {
    const page = await readFile(new URL('../../../../../docs/DESIRED-STATE.md', import.meta.url), 'utf8')
    const example = /```yaml\n(.*?)```/s.exec(page)?.[1] ?? ''
    const path = await fileOf(example.replaceAll('acme.example', account.domain))
    const plan = await run('apply', path)
    expect(plan).toContain(`+ users jane@${account.domain}\n`)
    expect(plan).toContain('    spf_whitelist: [] → [".mail.example.net"]')
    expect(plan).toContain('Nothing has been changed.')
    let told: string | undefined
    const applying = run('apply', '-f', path, '--yes').then((text) => {
      told = text
    })
    // the command waits for a job of the server
    const look = async () =>
      app()
        .jobs.drain()
        .then(() => told)
    await expect.poll(look, { timeout: 20_000 }).toMatch(/Applied plan/)
    await applying
    const exported = await run('state:export')
    expect(accountDocument.parse(parseDocumentFile(exported)).users).toContainEqual(
      expect.objectContaining({ email: `jane@${account.domain}`, package: 'kolab', quota: 7 }),
    )
    expect(await run('apply', await fileOf(exported))).toBe('The account already matches the file.')
    expect(JSON.parse(await run('apply', path, '--json'))).toMatchObject({ total: 0 })
  })

  test('says what is wrong', async () => {
    const user = `version: 1\nusers:\n  - email: x@${account.domain}\n    phone: call me\n    package: kolab\n`
    await expect(run('apply', await fileOf(user))).rejects.toThrow(/users\.0\.phone: /)
    await expect(run('apply', await fileOf('a: *b'))).rejects.toThrow("The file can't be read: ")
    await expect(run('apply', 'nowhere.yaml')).rejects.toThrow("nowhere.yaml can't be read.")
    await expect(run('state:export', '--url=http://127.0.0.1:1')).rejects.toThrow("can't be reached")
    await expect(run('state:export', '--url=portal')).rejects.toThrow('--url=https://portal.example.com')
  })
})
