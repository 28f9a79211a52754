import { createTenant } from '../../staff/tenants/create-tenant.ts'
import { parseEmailAddress } from '../../users/addresses/email-address.ts'
import { makeTenantHost, signInAs, strongPassword } from '../factories.ts'
import type { MadeStaff } from '../staff.ts'
import type { Answer, TestApp } from '../test-app.ts'

/** A tenant created by an operator, with a verified host and a signed-in reseller. */
export interface OfferingTenant {
  readonly id: number
  /** Host of its portal. */
  readonly host: string
  /** Its public domain. */
  readonly domain: string
  readonly reseller: MadeStaff
  /** Makes a call as the reseller about the tenant, such as `GET /catalogue`. */
  call(route: string, body?: unknown): Promise<Answer>
  /** Signs a user up on the tenant's host; returns the user's id. */
  signUp(facts: { readonly plan: string; readonly token?: string; readonly domain?: string }): Promise<number>
  /** Returns the cents of a user's first unit of a SKU. */
  costOf(userId: number, sku: string): Promise<number | undefined>
}

let signUps = 0

export async function makeOfferingTenant(app: TestApp, name: string): Promise<OfferingTenant> {
  const { db } = app.database
  const domain = `${name}.test`
  const email = parseEmailAddress(`boss@${domain}`)
  if (email === undefined) throw new Error(`${domain} is not a valid domain`)
  const passwordHash = await app.hasher.hash(strongPassword, 'background')
  const facts = { title: name, reseller: email, passwordHash, domain, language: 'en', currency: 'CHF' }
  const id = await db.transaction().execute((trx) => createTenant(trx, app.clock, facts))
  const host = `mail.${domain}`
  await makeTenantHost(app, id, `https://${host}`)
  const signedIn = await signInAs(app, { email: email.full, password: strongPassword })
  const { walletId } = await db
    .selectFrom('tenants')
    .select('walletId')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  const token = signedIn.access_token
  const call: MadeStaff['call'] = (route, options = {}) =>
    app.call(route, { token, host: 'reseller.localhost:8000', ...options })
  return {
    ...{ id, host, domain },
    reseller: {
      id: signedIn.id,
      email: email.full,
      password: strongPassword,
      walletId: walletId ?? '',
      call,
    },
    call: (route, body) => {
      const [method = '', path = ''] = route.split(' ')
      return call(`${method} /api/v4/tenants/${id}${path}`, body === undefined ? {} : { body })
    },
    signUp: (wanted) => signUpAt(app, host, { domain, ...wanted }),
    costOf: async (userId, sku) => {
      const row = await db
        .selectFrom('entitlements as e')
        .innerJoin('skus as k', 'k.id', 'e.skuId')
        .select('e.cost')
        .where('e.objectId', '=', userId)
        .where('k.title', '=', sku)
        .executeTakeFirst()
      return row?.cost
    },
  }
}

async function signUpAt(
  app: TestApp,
  host: string,
  { plan, token, domain }: { readonly plan: string; readonly token?: string; readonly domain: string },
): Promise<number> {
  const number = ++signUps
  const ip = `198.18.${number >> 8}.${number & 255}`
  const grant = token === undefined ? await codeAt(app, host, plan, ip) : { plan, token }
  const password = { password: strongPassword, password_confirmation: strongPassword }
  const body = { ...grant, ...password, login: `customer${number}`, domain }
  const answer = await app.call('POST /api/auth/signup', { host, ip, body })
  if (answer.status !== 200) throw new Error(`not signed up: ${JSON.stringify(answer.body)}`)
  return answer.body.id
}

/** Returns the codes mailed by the first step. */
async function codeAt(app: TestApp, host: string, plan: string, ip: string) {
  const email = `applicant${signUps}@elsewhere.test`
  const { status, body } = await app.call('POST /api/auth/signup/init', { host, ip, body: { email, plan } })
  if (status !== 200) throw new Error(`no code: ${JSON.stringify(body)}`)
  const mail = (await app.mails()).find(({ text }) => text.includes(body.code))
  const [, origin, shortCode] = /(https:\/\/[^/\s]+)\/signup\/([A-Z0-9]+)-/.exec(mail?.text ?? '') ?? []
  if (origin !== `https://${host}`) throw new Error(`the e-mail links to ${origin}`)
  return { code: body.code, short_code: shortCode }
}
