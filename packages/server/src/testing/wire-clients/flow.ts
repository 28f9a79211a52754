import type { InjectOptions } from 'fastify'
import type { z } from 'zod'
import { demoPassword } from '../../operator/demo/demo-data.ts'
import type { TestApp } from '../test-app.ts'

/** A request of a client written for the original API, and what it reads from the response. */
export interface Step {
  /** `METHOD /path?query`; `{name}` is replaced by a value kept from an earlier step. */
  readonly send: string
  /** Sent as JSON; `{name}` is replaced in its strings as well. */
  readonly body?: unknown
  /** Sent unchanged instead of a body. */
  readonly raw?: { readonly type: string; readonly content: string }
  /** Sent without the user's token. */
  readonly isOpen?: boolean
  /** Default: 200. */
  readonly status?: number
  /** The fields that the client reads; others are ignored. */
  readonly reads?: z.ZodType
  /** Kept for later steps: names and paths in the response (`list.0.id`, `title=kolab.id`). */
  readonly keeps?: Readonly<Record<string, string>>
  /** Kept from the newest e-mail: a pattern whose named groups are the names. */
  readonly mail?: RegExp
}

/** A user's actions on a screen. */
export interface Flow {
  readonly name: string
  /** Address of a demo login; absent for a guest. */
  readonly who?: string
  readonly steps: readonly Step[]
}

type Kept = Record<string, string>

const hosts: Readonly<Record<string, string>> = {
  'admin@example.test': 'admin.localhost:8000',
  'reseller@partner.test': 'reseller.localhost:8000',
}

const headers = {
  accept: 'application/json, text/plain, */*',
  'accept-language': 'en',
  'x-requested-with': 'XMLHttpRequest',
  'x-test-payment-provider': 'mollie',
}

let visitors = 0

/**
 * Runs a flow against the server, each time from another network. Throws at the first unexpected response.
 */
export async function goThrough(app: TestApp, { who, steps }: Flow): Promise<void> {
  visitors++
  const ip = `198.19.${visitors >> 8}.${visitors & 255}`
  const host = hosts[who ?? ''] ?? 'localhost:8000'
  const kept: Kept = { who: who ?? '' }
  let token: string | undefined
  if (who !== undefined) {
    const session = await request(app, { host, ip }, kept, {
      send: 'POST /api/auth/login',
      body: { email: who, password: demoPassword, secondfactor: '' },
    })
    const { access_token, refresh_token, id } = JSON.parse(session.text) as Record<string, string> // part of every session
    token = access_token
    Object.assign(kept, { access_token, refresh_token, me: String(id) })
  }
  for (const step of steps) {
    const from = { host, ip, ...(step.isOpen !== true && token !== undefined && { token }) }
    const { status, text } = await request(app, from, kept, step)
    const place = `${step.send} → ${status} ${text.slice(0, 1500)}`
    if (status !== (step.status ?? 200)) throw new Error(`unexpected status: ${place}`)
    const body: unknown = text.startsWith('{') || text.startsWith('[') ? JSON.parse(text) : text
    const read = step.reads?.safeParse(body)
    if (read?.success === false) throw new Error(`${read.error.message}: ${place}`)
    for (const [name, path] of Object.entries(step.keeps ?? {})) kept[name] = textAt(body, path)
    if (step.mail !== undefined) Object.assign(kept, await readMail(app, step.mail))
  }
}

async function request(
  app: TestApp,
  { host, ip, token }: { host: string; ip: string; token?: string },
  kept: Kept,
  { send, body, raw }: Step,
): Promise<{ status: number; text: string }> {
  const [method = 'GET', url = '/'] = filled(send, kept).split(' ')
  const response = await app.fastify.inject({
    method: method as InjectOptions['method'] & string, // the method precedes the space
    url: url.replace(/^https?:\/\/[^/]+/, ''),
    headers: {
      ...{ host, ...headers, 'x-forwarded-for': ip },
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...(raw !== undefined && { 'content-type': filled(raw.type, kept) }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(raw !== undefined && { payload: raw.content }),
    ...(body !== undefined && { payload: filled(JSON.stringify(body), kept) }),
  })
  return { status: response.statusCode, text: response.body }
}

function filled(text: string, kept: Kept): string {
  return text.replace(/\{(\w+)\}/g, (place, name: string) => kept[name] ?? place)
}

function textAt(body: unknown, path: string): string {
  let found = body
  for (const key of path.split('.')) {
    if (typeof found !== 'object' || found === null) throw new Error(`the response has no ${path}`)
    const [name = '', value] = key.split('=')
    // any object can be indexed by a key
    const at = (object: unknown) => (object as Record<string, unknown>)[name]
    found =
      Array.isArray(found) && value !== undefined
        ? at({ [name]: found.find((one) => at(one) === value) })
        : at(found)
  }
  if (typeof found !== 'string' && typeof found !== 'number') throw new Error(`the response has no ${path}`)
  return String(found)
}

async function readMail(app: TestApp, pattern: RegExp): Promise<Kept> {
  for (const mail of await app.mails()) {
    const groups = pattern.exec(mail.text)?.groups
    if (groups !== undefined) return { ...groups }
  }
  throw new Error(`no mail with ${pattern}`)
}
