import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import {
  describeSuite,
  jane,
  messageTo,
  newSubject,
  owner,
  sendFromOutside,
  submit,
  suite,
  suiteCommand,
} from './support/suite.ts'

/** Files in which the programs leave their process ids. */
const pidFiles = {
  portal: 'run/portal.pid',
  cyrus: 'cyrus/run/master.pid',
  postfix: 'postfix/queue/pid/master.pid',
  webmail: 'run/webmail.pid',
  nginx: 'run/nginx.pid',
}

async function processOf(program: keyof typeof pidFiles): Promise<number> {
  const text = await readFile(join(suite().folder, pidFiles[program]), 'utf8')
  return Number(text.trim().split(' ')[0])
}

describeSuite('after kill -9, the suite starts', () => {
  test.each(['cyrus', 'postfix', 'webmail', 'nginx', 'portal'] as const)('%s again', async (program) => {
    const former = await processOf(program)
    process.kill(former, 'SIGKILL')
    const state = async () => {
      if ((await processOf(program).catch(() => former)) === former) return 'not started yet'
      return new RegExp(`^${program} +answers$`, 'm').test(await statusText()) ? 'answers' : 'starting'
    }
    await expect.poll(state, { timeout: 60_000, interval: 300 }).toBe('answers')
    const subject = newSubject()
    await expect
      .poll(() => submit({ user: owner }, { from: owner, to: jane, subject }), { timeout: 20_000 })
      .toMatch(/^250/)
    await messageTo({ user: jane }, subject)
  })

  test('nothing is lost of a message that was accepted before', async () => {
    const subject = newSubject()
    process.kill(await processOf('cyrus'), 'SIGKILL')
    const message = { from: 'ann@supplier.test', to: jane, subject }
    await expect.poll(() => sendFromOutside(message), { timeout: 20_000 }).toMatch(/^250/)
    // Postfix tries again after 30 seconds, when it looks at its queue, which is every 30 seconds
    await messageTo({ user: jane }, subject, { timeout: 90_000 })
  })
})

/** The state of all programs; the command fails while one doesn't answer. */
async function statusText(): Promise<string> {
  return suiteCommand('status').catch((error: unknown) =>
    error instanceof Error && 'stdout' in error ? String(error.stdout) : '',
  )
}
