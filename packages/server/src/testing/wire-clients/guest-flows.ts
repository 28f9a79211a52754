import { z } from 'zod'
import { strongPassword } from '../factories.ts'
import type { Flow, Step } from './flow.ts'
import { errorsAt, failure, session, success, tokens } from './shapes.ts'

const passwords = { password: strongPassword, password_confirmation: strongPassword }
const rules = z.object({
  list: z.array(z.object({ label: z.string(), name: z.string(), status: z.boolean().optional() })),
})
const login = (email: string, password: string): Pick<Step, 'send' | 'body'> => ({
  send: 'POST /api/auth/login',
  body: { email, password, secondfactor: '' },
})

const signIn: readonly Flow[] = [
  { name: 'sign in', steps: [{ ...login('owner@acme.test', 'simple123'), reads: session }] },
  {
    name: 'sign in with a wrong password',
    steps: [{ ...login('owner@acme.test', 'wrong'), status: 401, reads: failure }],
  },
  {
    name: 'sign in with empty fields',
    steps: [{ ...login('', ''), status: 422, reads: errorsAt('email', 'password') }],
  },
  {
    name: 'load the page while signed in',
    who: 'jane@acme.test',
    steps: [
      { send: 'POST /api/auth/info?refresh=1', body: { refresh_token: '{refresh_token}' }, reads: session },
    ],
  },
  {
    name: 'renew the token before its end',
    who: 'jane@acme.test',
    steps: [{ send: 'POST /api/auth/refresh', body: { refresh_token: '{refresh_token}' }, reads: tokens }],
  },
  {
    name: 'load the page with a token that is over',
    steps: [
      { send: 'POST /api/auth/info?refresh=1', body: { refresh_token: 'x' }, status: 401, reads: failure },
    ],
  },
  { name: 'sign out', who: 'solo@example.test', steps: [{ send: 'POST /api/auth/logout', reads: success }] },
]

const pages: readonly Flow[] = [
  {
    name: 'questions below the sign-up page',
    steps: [
      {
        send: 'GET /content/faq/signup',
        reads: z.object({ faq: z.array(z.object({ href: z.string(), title: z.string() })) }),
      },
    ],
  },
  {
    name: 'the support page',
    steps: [{ send: 'GET /content/page/support', reads: z.string().includes('<') }],
  },
  { name: 'a page that is not there', steps: [{ send: 'GET /content/page/unknown', status: 404 }] },
  {
    name: 'ask support',
    steps: [
      {
        send: 'POST /api/v4/support/request',
        body: { user: '', name: '', email: 'ada@elsewhere.test', summary: 'Hello', body: 'A question' },
        reads: success,
      },
    ],
  },
]

const plans: Step = {
  send: 'GET /api/auth/signup/plans',
  reads: z.object({
    plans: z.array(
      z.object({
        title: z.string(),
        button: z.string(),
        description: z.string(),
        mode: z.string(),
        isDomain: z.boolean(),
      }),
    ),
  }),
}
const domains: Step = {
  send: 'GET /api/auth/signup/domains',
  reads: z.object({ domains: z.array(z.string()).min(1) }),
}
const names = { first_name: 'Ada', last_name: 'Lovelace' }
const init = (facts: Record<string, unknown>): Step => ({
  send: 'POST /api/auth/signup/init',
  body: { email: '', token: '', voucher: '', referral: '', ...names, ...facts },
  reads: z.object({
    status: z.literal('success'),
    code: z.string(),
    mode: z.string(),
    domains: z.array(z.string()),
    is_domain: z.boolean(),
  }),
  keeps: { code: 'code' },
})
const verify: Step = {
  send: 'POST /api/auth/signup/verify',
  body: { code: '{code}', short_code: '{short}' },
  reads: z.object({
    email: z.string().nullable(),
    first_name: z.string().nullable(),
    last_name: z.string().nullable(),
    voucher: z.string().nullable(),
    is_domain: z.boolean(),
  }),
}
const account = (name: string, facts: Record<string, unknown>) => ({
  ...{ login: name, domain: 'example.test', ...passwords, voucher: '' },
  ...facts,
})
const signedUp = (body: unknown): Step => ({ send: 'POST /api/auth/signup', body, reads: session })
const shortCode = /\/signup\/(?<short>[A-Z0-9]+)-/

const signUp: readonly Flow[] = [
  {
    name: 'sign up by mail',
    steps: [
      plans,
      { ...init({ email: 'one@elsewhere.test', plan: 'individual' }), mail: shortCode },
      verify,
      signedUp(account('wire.one', { code: '{code}', short_code: '{short}', plan: 'individual' })),
    ],
  },
  {
    name: 'sign up by the link of the mail, which knows the plan',
    steps: [
      { ...init({ email: 'two@elsewhere.test', plan: 'individual' }), mail: shortCode },
      verify,
      domains,
      signedUp(account('wire.two', { code: '{code}', short_code: '{short}', plan: null })),
    ],
  },
  {
    name: 'sign up with a custom domain',
    steps: [
      { ...init({ email: 'three@elsewhere.test', plan: 'group' }), mail: shortCode },
      verify,
      signedUp(
        account('ada', { code: '{code}', short_code: '{short}', plan: 'group', domain: 'wire-signup.test' }),
      ),
    ],
  },
  {
    name: 'sign up with a token',
    steps: [
      plans,
      { ...init({ token: 'DEMO-TOKEN', plan: 'club' }), keeps: { code: 'code', short: 'short_code' } },
      signedUp(account('wire.four', { code: '{code}', short_code: '{short}', plan: 'club' })),
    ],
  },
  {
    name: 'sign up with a payment',
    steps: [
      domains,
      {
        send: 'POST /api/auth/signup/validate',
        body: account('wire.five', { plan: 'phone' }),
        reads: z.object({ title: z.string(), content: z.string(), summary: z.string(), cost: z.number() }),
      },
      {
        ...signedUp(account('wire.five', { plan: 'phone' })),
        reads: session.extend({ checkout: z.object({ redirectUrl: z.string() }), isLocked: z.literal(true) }),
      },
    ],
  },
  {
    name: 'sign up with a voucher for all of it',
    steps: [
      {
        send: 'POST /api/auth/signup/validate',
        body: account('wire.six', { plan: 'phone', voucher: 'TEST100' }),
        reads: z.object({ content: z.string(), cost: z.literal(0) }),
      },
      signedUp(account('wire.six', { plan: 'phone', voucher: 'TEST100' })),
    ],
  },
  {
    name: 'sign up with a wrong voucher and a taken name',
    steps: [
      {
        send: 'POST /api/auth/signup/validate',
        body: account('solo', { plan: 'phone', voucher: 'NOTHING' }),
        status: 422,
        reads: z.object({ status: z.literal('error'), errors: z.record(z.string(), z.unknown()) }),
      },
    ],
  },
  {
    name: 'sign up without an address',
    steps: [{ ...init({ plan: 'individual' }), status: 422, reads: errorsAt('email'), keeps: {} }],
  },
  {
    name: 'verify with a wrong code',
    steps: [
      {
        send: 'POST /api/auth/signup/verify',
        body: { code: 'x', short_code: 'y' },
        status: 422,
        reads: errorsAt('short_code'),
      },
    ],
  },
  {
    name: 'open an invitation that is not there',
    steps: [{ send: 'GET /api/auth/signup/invitations/0199aaaa-0000-7000-8000-000000000000', status: 404 }],
  },
  {
    name: 'rules of a new password',
    steps: [
      { send: 'POST /api/auth/password-policy-check', body: { password: '' }, reads: rules },
      { send: 'POST /api/auth/password-policy-check', body: { password: 'abc', user: null }, reads: rules },
    ],
  },
]

const reset: readonly Flow[] = [
  {
    name: 'reset a password',
    steps: [
      {
        send: 'POST /api/auth/password-reset/init',
        body: { email: 'reset@example.test' },
        reads: z.object({ status: z.literal('success'), code: z.string() }),
        keeps: { code: 'code' },
        mail: /\/password-reset\/(?<short>[A-Z0-9]+)-/,
      },
      {
        send: 'POST /api/auth/password-reset/verify',
        body: { code: '{code}', short_code: '{short}' },
        reads: z.object({ status: z.literal('success'), userId: z.number() }),
        keeps: { user: 'userId' },
      },
      {
        send: 'POST /api/auth/password-policy-check',
        body: { password: 'abc', user: '{user}' },
        reads: rules,
      },
      {
        send: 'POST /api/auth/password-reset',
        body: { code: '{code}', short_code: '{short}', ...passwords, secondfactor: '' },
        reads: session,
      },
    ],
  },
  {
    name: 'reset a password with a wrong code',
    steps: [
      {
        send: 'POST /api/auth/password-reset/verify',
        body: { code: 'x', short_code: 'y' },
        status: 422,
        reads: errorsAt('short_code'),
      },
    ],
  },
]

/** Flows of people who are not signed in. */
export const guestFlows: readonly Flow[] = [...signIn, ...pages, ...signUp, ...reset]
