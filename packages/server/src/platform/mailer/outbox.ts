import { mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { newUuid } from '../ids.ts'
import type { CheckedMail } from './mail-message.ts'

const mailboxRecord = z.object({ address: z.string(), name: z.string() })

const record = z.object({
  id: z.string(),
  sentAt: z.string(),
  from: mailboxRecord,
  replyTo: mailboxRecord.optional(),
  to: z.array(mailboxRecord),
  cc: z.array(mailboxRecord),
  subject: z.string(),
  text: z.string(),
  html: z.string().optional(),
})

/** A message in the outbox folder. */
export type OutboxMail = z.infer<typeof record>

/** The same without contents, for lists. */
export type OutboxEntry = Omit<OutboxMail, 'text' | 'html'>

/**
 * The folder that stores the e-mails of an installation without a mail server. Each message is an `.eml` for
 * mail clients plus a `.json`, so that the server can show it without parsing.
 */
export class Outbox {
  readonly #folder: string

  constructor(folder: string) {
    this.#folder = folder
  }

  /** Stores a message and returns its id; ids sort by time of sending. */
  async add(mail: CheckedMail, eml: Uint8Array, sentAt: Date): Promise<string> {
    const id = `${sentAt.toISOString().replaceAll(/[-:.]/g, '')}-${newUuid()}`
    const { headers: _, ...contents } = mail
    const entry: OutboxMail = { id, sentAt: sentAt.toISOString(), ...contents }
    await mkdir(this.#folder, { recursive: true, mode: 0o700 })
    // Write the .eml last, so that it never exists without its .json.
    await this.#write(`${id}.json`, JSON.stringify(entry))
    await this.#write(`${id}.eml`, eml)
    return id
  }

  /** Returns the newest messages first. */
  async list({ limit }: { limit: number }): Promise<OutboxEntry[]> {
    const ids = (await this.#files())
      .filter((file) => file.endsWith('.eml'))
      .map((file) => file.slice(0, -'.eml'.length))
      .sort()
      .reverse()
      .slice(0, Math.max(0, limit))
    const mails = await Promise.all(ids.map((id) => this.read(id)))
    return mails.flatMap((mail) => {
      if (!mail) return []
      const { text: _text, html: _html, ...entry } = mail
      return [entry]
    })
  }

  /** Returns one message, or undefined if the id is not in the folder. */
  async read(id: string): Promise<OutboxMail | undefined> {
    // The id comes from a URL, so only our own format may become part of a path.
    if (!/^\d{8}T\d{9}Z-[0-9a-f-]{36}$/.test(id)) return undefined
    try {
      return record.parse(JSON.parse(await readFile(join(this.#folder, `${id}.json`), 'utf8')))
    } catch (error) {
      if (isMissing(error)) return undefined
      throw error
    }
  }

  async #files(): Promise<string[]> {
    try {
      return await readdir(this.#folder)
    } catch (error) {
      if (isMissing(error)) return []
      throw error
    }
  }

  /** Writes atomically; only the owner may read the file, because messages contain codes and links. */
  async #write(name: string, contents: string | Uint8Array): Promise<void> {
    const unfinished = join(this.#folder, `.${name}.tmp`)
    await writeFile(unfinished, contents, { mode: 0o600 })
    await rename(unfinished, join(this.#folder, name))
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT'
}
