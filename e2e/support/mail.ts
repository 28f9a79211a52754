import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { simpleParser } from 'mailparser'
import { expect } from 'vitest'
import { portal } from './portal.ts'

export interface ReceivedMail {
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly replyTo: string | undefined
}

/** Waits for the newest mail to an address and returns it. */
export async function mailTo(address: string): Promise<ReceivedMail> {
  return expect
    .poll(() => findMail(address), { timeout: 10_000, message: `mail to ${address}` })
    .toBeDefined()
    .then(async () => {
      const mail = await findMail(address)
      if (mail === undefined) throw new Error('the mail is gone')
      return mail
    })
}

async function findMail(address: string): Promise<ReceivedMail | undefined> {
  const folder = portal.outbox
  const names = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith('.eml'))
  for (const name of names.sort().reverse()) {
    const mail = await simpleParser(await readFile(join(folder, name)))
    const to = Array.isArray(mail.to) ? mail.to[0] : mail.to
    if (to?.text.includes(address)) {
      return { to: to.text, subject: mail.subject ?? '', text: mail.text ?? '', replyTo: mail.replyTo?.text }
    }
  }
  return undefined
}

/**
 * The code in a mail: the only line that consists of, or ends after a colon in, capital letters and digits.
 */
export function codeIn(mail: ReceivedMail): string {
  const code = /(?:^|:)\s*([2-9A-HJ-NP-Z]{5,8})\s*$/m.exec(mail.text)?.[1]
  if (code === undefined) throw new Error(`no code in ${mail.text}`)
  return code
}

/** The path of the first link to a portal page below `prefix`. */
export function linkIn(mail: ReceivedMail, prefix: string): string {
  const found = mail.text.match(/https?:\/\/[^\s)>\]]+/g)?.map((url) => new URL(url).pathname)
  const path = found?.find((candidate) => candidate.startsWith(prefix))
  if (path === undefined) throw new Error(`no link to ${prefix} in ${mail.text}`)
  return path
}
