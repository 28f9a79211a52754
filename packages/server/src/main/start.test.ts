import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { version } from '../platform/release/version.ts'
import { buildPrograms, type Programs } from '../testing/signup/program.ts'
import { createTestApp, type Installation, makeInstallation, testSecret } from '../testing/test-app.ts'

const slow = { timeout: 120_000 }

let programs: Programs
let installation: Installation

beforeAll(async () => {
  programs = await buildPrograms()
  installation = await makeInstallation()
}, slow.timeout)
afterAll(async () => {
  await programs[Symbol.asyncDispose]()
  await installation[Symbol.asyncDispose]()
})

const withData = (): Record<string, string> => ({
  NODE_ENV: 'production',
  APP_URL: 'https://portal.example.org',
  SMTP_URL: 'smtp://127.0.0.1:1',
  GROUPWARE_BACKEND: 'null',
  PORT: '0',
  DATABASE_URL: installation.url,
  DATA_DIR: installation.dataDir,
  SECRET_KEY: testSecret,
})

test('a server that lacks required production settings lists all of them and exits', slow, async () => {
  const { code, output } = await programs.run('main', {
    ...{ NODE_ENV: 'production', PORT: '80a', APP_THEM: 'dark' },
    DATABASE_URL: installation.url,
  })
  expect(code).toBe(1)
  const lines = output.trim().split('\n')
  expect(lines[0]).toBe('Gatehouse cannot start. Invalid settings:')
  const named = lines.slice(1).map((line) => line.trim().split(':')[0])
  expect(named).toEqual(['PORT', 'SECRET_KEY', 'APP_URL', 'SMTP_URL', 'GROUPWARE_BACKEND', 'APP_THEM'])
})

test('a missing database causes a single sentence, from the server and from a command', slow, async () => {
  const away = { ...withData(), DATABASE_URL: 'postgres://me:hunter2@127.0.0.1:1/portal' }
  const sentence =
    'DATABASE_URL: no connection to PostgreSQL at 127.0.0.1:1, database portal: connection refused.\n'
  const started = await programs.run('main', away)
  expect(started.code).toBe(1)
  expect(started.output.endsWith(sentence)).toBe(true)
  expect(await programs.run('cli', away, 'db:migrate')).toEqual({ code: 1, output: sentence })
  const unknown = {
    ...away,
    DATABASE_URL: `${installation.url.replace(/\/[^/?]*(\?|$)/, '/nobody_made_this$1')}`,
  }
  const refused = await programs.run('cli', unknown, 'db:migrate')
  expect(refused.output).toMatch(/^DATABASE_URL: .*: the database does not exist\.\n$/)
})

test('settings are printed and checked without a database', slow, async () => {
  const away = { ...withData(), DATABASE_URL: 'postgres://me:hunter2@127.0.0.1:1/portal' }
  const shown = await programs.run('cli', away, 'config:show')
  expect(shown.code).toBe(0)
  expect(shown.output).toContain('DATABASE_URL=(hidden)')
  expect(shown.output).not.toContain('hunter2')
  expect(await programs.run('cli', away, 'config:check')).toEqual({
    code: 0,
    output: 'All settings are valid.\n',
  })
  const checked = await programs.run('cli', { NODE_ENV: 'production' }, 'config:check')
  expect(checked.code).toBe(1)
  expect(checked.output).toMatch(/APP_URL: [^\n]*\n {2}SMTP_URL: /)
})

test(
  'an unreachable mail server and object store are listed with the other startup warnings',
  slow,
  async () => {
    const { code, output } = await programs.run('main', {
      ...withData(),
      ...{ APP_THEM: 'dark', DATABASE_URL: 'postgres://127.0.0.1:1/portal' },
      ...{ FILESYSTEM_DISK: 's3', FILES_S3_ENDPOINT: 'http://127.0.0.1:1', FILES_S3_BUCKET: 'files' },
      ...{ FILES_S3_KEY: 'key', FILES_S3_SECRET: 'secret' },
    })
    expect(code).toBe(1)
    // Node may print a warning about its version before the list
    const [, list = ''] = output.split('Check these settings:\n')
    const named = list
      .trim()
      .split('\n')
      .map((line) => line.trim().split(':')[0])
    expect(named).toEqual(['APP_THEM', 'SMTP_URL', 'FILES_S3_BUCKET', 'DATABASE_URL'])
  },
)

test('a changed secret and a changed content folder cause one sentence each', slow, async () => {
  await (await createTestApp({}, undefined, { installation })).close()
  const secret = await programs.run('main', { ...withData(), SECRET_KEY: 'x'.repeat(40) })
  expect(secret.code).toBe(1)
  expect(secret.output).toMatch(/\nSECRET_KEY: this is not the master secret of the database[^\n]*\n$/)
  const folder = join(installation.dataDir, 'another')
  await mkdir(folder)
  const files = await programs.run('main', { ...withData(), FILES_FOLDER: folder })
  expect(files.output).toMatch(/\nFILES_FOLDER: [^\n]*\n$/)
  expect(files.code).toBe(1)
})

test("a data folder that can't be created is named", slow, async () => {
  const file = join(installation.dataDir, 'a-file')
  await writeFile(file, '')
  const { code, output } = await programs.run('main', { ...withData(), DATA_DIR: join(file, 'data') })
  const sentence = `DATA_DIR: the folder ${join(file, 'data')} can't be created (ENOTDIR).\n`
  expect(output.endsWith(`\n${sentence}`)).toBe(true)
  expect(code).toBe(1)
})

test.each(['--version', '-V'])('%s prints the version without a database', slow, async (option) => {
  const away = { DATABASE_URL: 'postgres://127.0.0.1:1/portal' }
  expect(await programs.run('cli', away, option)).toEqual({ code: 0, output: `gatehouse ${version}\n` })
})
