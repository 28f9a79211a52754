import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { simpleParser } from 'mailparser'
import { createTransport, type SendMailOptions } from 'nodemailer'
import pg from 'pg'
import { describe, expect, inject } from 'vitest'
import { demoPassword } from '../../support/sign-in.ts'
import { ImapClient } from './imap-client.ts'
import type { SuiteFacts } from './suite-facts.ts'

const run = promisify(execFile)
const program = join(import.meta.dirname, '../../../deploy/mail/dist/suite.js')

const provided = inject('suite')

/** Demo users of one account. The second one is the owner's delegate. */
export const [owner, ned, jane] = ['owner@acme.test', 'ned@acme.test', 'jane@acme.test'] as const

/** Like `describe`; skipped where the suite can't run. */
export const describeSuite = describe.skipIf(provided === null)

/** The running suite. */
export function suite(): SuiteFacts {
  if (provided === null) throw new Error('the suite does not run here')
  return provided
}

/** Milliseconds within which a message arrives, on a busy machine. */
const delivery = 30_000

export interface Login {
  readonly user: string
  readonly password?: string
}

/** Sends a message as a mail program does, with STARTTLS and sign-in. Returns the server's answer, also a refusal. */
export async function submit(
  { user, password = demoPassword }: Login,
  message: SendMailOptions,
  localAddress?: string,
): Promise<string> {
  return send(
    {
      ...{ host: '127.0.0.1', port: suite().ports.submission, localAddress },
      requireTLS: true,
      tls: { rejectUnauthorized: false },
      auth: { user, pass: password },
    },
    message,
  )
}

/** Sends a message as another mail server does. Returns the answer, also a refusal. */
export async function sendFromOutside(message: SendMailOptions): Promise<string> {
  return send({ host: '127.0.0.1', port: suite().ports.incoming, ignoreTLS: true }, message)
}

async function send(server: object, message: SendMailOptions): Promise<string> {
  const transport = createTransport({ name: 'client.supplier.test', ...server })
  try {
    const { response } = await transport.sendMail({ text: 'Hello', ...message })
    return response
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  } finally {
    transport.close()
  }
}

/** Signs in to IMAP through the mail proxy. */
export async function openMailbox(
  { user, password = demoPassword }: Login,
  localAddress?: string,
): Promise<ImapClient> {
  const client = await ImapClient.connect({ port: suite().ports.imaps, isEncrypted: true, localAddress })
  await client.login(user, password)
  return client
}

/** Waits until a message with this subject is in a user's inbox or another folder, and returns its text. */
export async function messageTo(
  login: Login,
  subject: string,
  { folder = 'INBOX', timeout = delivery }: { readonly folder?: string; readonly timeout?: number } = {},
): Promise<string> {
  const find = async () => {
    await using mailbox = await openMailbox(login)
    const messages = await mailbox.messages(folder)
    for (const text of messages) if ((await simpleParser(text)).subject === subject) return text
    return undefined
  }
  let found: string | undefined
  await expect
    .poll(
      async () => {
        found = await find()
        return found
      },
      { timeout, interval: 250, message: `${subject} for ${login.user}` },
    )
    .toBeDefined()
  return found ?? ''
}

/** A subject that no other message has. */
export function newSubject(): string {
  return `subject-${randomBytes(5).toString('hex')}`
}

/** Runs a statement on the portal's database. */
export async function query<Row extends pg.QueryResultRow>(
  text: string,
  values: unknown[] = [],
): Promise<Row[]> {
  const client = new pg.Client({ connectionString: suite().databaseUrl })
  await client.connect()
  try {
    return (await client.query<Row>(text, values)).rows
  } finally {
    await client.end()
  }
}

/** Runs `npm run suite -- …`, and returns what it prints. Throws if it fails. */
export async function suiteCommand(...args: readonly string[]): Promise<string> {
  const env = { ...process.env, ...suite().environment }
  const { stdout } = await run(process.execPath, [program, ...args], { env })
  return stdout
}

/** Signs in to the portal. Returns an access token. */
export async function tokenOf(user: string, password = demoPassword): Promise<string> {
  const body = { email: user, password }
  const { access_token: token } = await request<{ access_token: string }>('POST', '/api/auth/login', body)
  return token
}

/** Calls the portal's API as a user. Throws if it refuses. */
export async function callAs<Answer>(
  user: string,
  method: string,
  path: string,
  body?: unknown,
  password = demoPassword,
): Promise<Answer> {
  return request(method, path, body, await tokenOf(user, password))
}

/** Calls the portal's API in a session. Throws if it refuses. */
export function callWith<Answer>(
  token: string,
  method: string,
  path: string,
  body?: unknown,
): Promise<Answer> {
  return request(method, path, body, token)
}

async function request<Answer>(method: string, path: string, body: unknown, token?: string): Promise<Answer> {
  const response = await fetch(new URL(path, suite().portalUrl), {
    method,
    headers: {
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
      ...(token !== undefined && { Authorization: `Bearer ${token}` }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`)
  // as the contract promises
  return response.json() as Promise<Answer>
}
