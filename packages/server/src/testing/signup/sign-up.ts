import { strongPassword } from '../factories.ts'
import type { Answer, TestApp } from '../test-app.ts'

/** A person's codes after the first step. */
export interface Applicant {
  readonly email: string
  readonly code: string
  readonly short_code: string
}

let counter = 0

/** Completes the first sign-up step and reads the mail. Each applicant has their own network address. */
export async function apply(app: TestApp, facts: Record<string, unknown> = {}): Promise<Applicant> {
  const number = ++counter
  const email = `applicant${number}@elsewhere.test`
  const { status, body } = await app.call('POST /api/auth/signup/init', {
    body: { email, plan: 'individual', first_name: 'Ada', last_name: 'Lovelace', ...facts },
    ip: `198.19.${number >> 8}.${number & 255}`,
  })
  if (status !== 200) throw new Error(`no code: ${JSON.stringify(body)}`)
  const mail = (await app.mails()).find((one) => one.text.includes(body.code))
  const shortCode = /\/signup\/([A-Z0-9]+)-/.exec(mail?.text ?? '')?.[1]
  if (shortCode === undefined) throw new Error('no mail with a code')
  return { email, code: body.code, short_code: shortCode }
}

/** Completes the last sign-up step. */
export function finish(
  app: TestApp,
  applicant: Applicant,
  facts: Record<string, unknown> = {},
): Promise<Answer> {
  return app.call('POST /api/auth/signup', { body: lastStep(applicant, facts), ip: '8.8.8.8' })
}

export function lastStep(applicant: Applicant, facts: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    code: applicant.code,
    short_code: applicant.short_code,
    login: `login${++counter}`,
    domain: 'example.test',
    password: strongPassword,
    password_confirmation: strongPassword,
    ...facts,
  }
}

const counted = [
  'users',
  'addresses',
  'wallets',
  'domains',
  'entitlements',
  'user_settings',
  'sessions',
  'access_tokens',
  'refresh_tokens',
  'event_log',
] as const

/** Counts the rows of every table that a new account affects, including jobs. */
export async function countRows(app: TestApp): Promise<Record<string, number>> {
  const columns = [...counted, 'graphile_worker.jobs'].map(
    (table) => `(select count(*) from ${table}) as "${table}"`,
  )
  const { rows } = await app.database.pool.query<Record<string, number>>(`select ${columns.join(', ')}`)
  const [row] = rows
  if (row === undefined) throw new Error('query returned no row')
  return row
}
