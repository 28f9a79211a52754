import { z } from 'zod'
import { strongPassword } from '../factories.ts'
import type { Flow, Step } from './flow.ts'
import {
  account,
  addressed,
  domainDetail,
  errorsAt,
  listOf,
  named,
  objectDetail,
  sku,
  statusInfo,
  success,
  userDetail,
} from './shapes.ts'

const owner = 'owner@acme.test'
const passwords = { password: strongPassword, password_confirmation: strongPassword }

const packages: Step = {
  send: 'GET /api/v4/packages',
  reads: z.array(
    z.object({
      id: z.string(),
      title: z.string(),
      name: z.string(),
      cost: z.number(),
      isDomain: z.boolean(),
    }),
  ),
}

const newUser = {
  ...{ email: 'wire@acme.test', first_name: 'Wire', last_name: '', organization: '' },
  ...{ aliases: ['wires@acme.test'], ...passwords },
}

/** Requests the SKUs on sale for a kind of object, like a form for a new one. */
const skusFor = (type: string): Step => ({ send: `GET /api/v4/skus?type=${type}`, reads: z.array(sku) })

/** Creates, finds, opens, changes, configures and deletes an object, like its screens. */
function objectSteps(
  path: string,
  facts: {
    readonly made: Record<string, unknown>
    readonly changed: Record<string, unknown>
    readonly config: Record<string, unknown>
    readonly found: z.ZodType
  },
): readonly Step[] {
  const one = `/api/v4/${path}/{object}`
  return [
    { send: `POST /api/v4/${path}`, body: facts.made, reads: success, keeps: { object: 'id' } },
    { send: `GET /api/v4/${path}`, reads: listOf(facts.found) },
    { send: `GET ${one}`, reads: objectDetail },
    { send: `GET ${one}/skus`, reads: z.array(sku) },
    { send: `GET ${one}/status`, reads: statusInfo },
    { send: `PUT ${one}`, body: facts.changed, reads: success },
    { send: `POST ${one}/config`, body: facts.config, reads: success },
    { send: `DELETE ${one}`, reads: success },
  ]
}

const users: readonly Flow[] = [
  {
    name: 'the dashboard while an account is set up',
    who: owner,
    steps: [
      { send: 'GET /api/v4/users/{me}/status', reads: statusInfo.extend({ enableUsers: z.boolean() }) },
      { send: 'GET /api/v4/users/{me}/status?refresh=1', reads: statusInfo },
    ],
  },
  {
    name: 'the list of users, and a search in it',
    who: owner,
    steps: [
      { send: 'GET /api/v4/users?page=1&search=', reads: listOf(addressed, 3) },
      { send: 'GET /api/v4/users?page=1&search=jane', reads: listOf(addressed) },
    ],
  },
  {
    name: 'create a user, and delete it',
    who: owner,
    steps: [
      { ...packages, keeps: { package: 'title=kolab.id' } },
      {
        send: 'POST /api/v4/users',
        body: { ...newUser, email: 'wire@elsewhere.test', package: '{package}' },
        status: 422,
        reads: errorsAt('email'),
      },
      { send: 'POST /api/v4/users', body: { ...newUser, package: '{package}' }, reads: success },
      {
        send: 'GET /api/v4/users?page=1&search=wire@acme',
        reads: listOf(addressed),
        keeps: { made: 'list.0.id' },
      },
      { send: 'DELETE /api/v4/users/{made}', reads: success },
    ],
  },
  {
    name: 'the page of a user, and a change of it',
    who: owner,
    steps: [
      { send: 'GET /api/v4/users?page=1&search=ned', keeps: { ned: 'list.0.id' } },
      { send: 'GET /api/v4/users/{ned}', reads: userDetail },
      { send: 'GET /api/v4/users/{ned}/skus', reads: z.array(sku) },
      { send: 'PUT /api/v4/users/{ned}', body: { aliases: ['ned.keller@acme.test'] }, reads: success },
      {
        send: 'PUT /api/v4/users/{ned}',
        body: { aliases: ['ned.keller@acme.test', 'no address'] },
        status: 422,
        reads: errorsAt('aliases'),
      },
    ],
  },
  {
    name: 'give a user a link for the password',
    who: owner,
    steps: [
      { send: 'GET /api/v4/users?page=1&search=jane', keeps: { jane: 'list.0.id' } },
      {
        send: 'POST /api/v4/password-reset/code',
        body: {},
        reads: z.object({ short_code: z.string(), code: z.string(), expires_at: z.string() }),
        keeps: { short: 'short_code', code: 'code' },
      },
      {
        send: 'PUT /api/v4/users/{jane}',
        body: { aliases: ['jane.favre@acme.test'], passwordLinkCode: '{short}-{code}' },
        reads: success,
      },
      { send: 'GET /api/v4/users/{jane}', reads: z.object({ passwordLinkCode: z.string() }) },
      { send: 'DELETE /api/v4/password-reset/code/{short}-{code}', reads: success },
    ],
  },
  {
    name: 'change personal facts',
    who: 'solo@example.test',
    steps: [
      {
        send: 'PUT /api/v4/users/{me}',
        body: {
          ...{ first_name: 'Sol', last_name: 'Lorenz', organization: '', phone: '+41 1 234', country: 'CH' },
          ...{ billing_address: 'Street 1\nZürich', external_email: '' },
        },
        reads: success,
      },
      { send: 'PUT /api/v4/users/{me}', body: { phone: 'abc' }, status: 422, reads: errorsAt('phone') },
      { send: 'GET /api/v4/users/{me}', reads: userDetail },
    ],
  },
  {
    name: 'settings of a user: mail delivery and countries',
    who: owner,
    steps: [
      { send: 'GET /api/v4/users?page=1&search=ned', keeps: { ned: 'list.0.id' } },
      {
        send: 'GET /api/auth/location',
        reads: z.object({ ipAddress: z.string(), countryCode: z.string().nullable() }),
      },
      {
        send: 'POST /api/v4/users/{ned}/config',
        body: { greylist_enabled: null, itip_config: true, externalsender_config: false },
        reads: success,
      },
      {
        send: 'POST /api/v4/users/{ned}/config',
        body: { limit_geo: ['XX'] },
        status: 422,
        reads: errorsAt('limit_geo'),
      },
    ],
  },
  {
    name: 'delegates',
    who: 'jane@acme.test',
    steps: [
      { send: 'GET /api/v4/users/{me}/delegations', reads: listOf(z.object({ email: z.string() }), 0) },
      {
        send: 'POST /api/v4/users/{me}/delegations',
        body: { email: 'ned@acme.test', options: { mail: 'read-only', event: 'read-write' } },
        reads: success,
      },
      {
        send: 'POST /api/v4/users/{me}/delegations',
        body: { email: 'nobody@acme.test', options: { mail: 'read-only' } },
        status: 422,
        reads: errorsAt('email'),
      },
      { send: 'DELETE /api/v4/users/{me}/delegations/ned@acme.test', reads: success },
    ],
  },
]

const directory: readonly Flow[] = [
  {
    name: 'domains: bring one, confirm it in vain, delete it',
    who: owner,
    steps: [
      { send: 'GET /api/v4/domains', reads: listOf(z.object({ id: z.number(), namespace: z.string() })) },
      { ...packages, keeps: { package: 'title=domain-hosting.id' } },
      {
        send: 'POST /api/v4/domains',
        body: { namespace: 'no domain', package: '{package}' },
        status: 422,
        reads: errorsAt('namespace'),
      },
      {
        send: 'POST /api/v4/domains',
        body: { namespace: 'wire-own.test', package: '{package}' },
        reads: success,
        keeps: { domain: 'id' },
      },
      { send: 'GET /api/v4/domains/{domain}', reads: domainDetail.extend({ isConfirmed: z.literal(false) }) },
      {
        send: 'GET /api/v4/domains/{domain}/confirm',
        reads: z.object({ status: z.literal('error'), message: z.string() }),
      },
      { send: 'DELETE /api/v4/domains/{domain}', reads: success },
    ],
  },
  {
    name: 'the page of a domain',
    who: owner,
    steps: [
      { send: 'GET /api/v4/domains', keeps: { domain: 'list.0.id' } },
      { send: 'GET /api/v4/domains/{domain}', reads: domainDetail },
      { send: 'GET /api/v4/domains/{domain}/skus', reads: z.array(sku) },
      { send: 'GET /api/v4/domains/{domain}/status', reads: statusInfo },
      {
        send: 'GET /api/v4/domains/{domain}/confirm',
        reads: z.object({ status: z.enum(['success', 'error']), message: z.string() }),
      },
      {
        send: 'POST /api/v4/domains/{domain}/config',
        body: { spf_whitelist: ['.mailer.test'] },
        reads: success,
      },
      {
        send: 'POST /api/v4/domains/{domain}/config',
        body: { spf_whitelist: ['mailer'] },
        status: 422,
        reads: errorsAt('spf_whitelist'),
      },
    ],
  },
  {
    name: 'a distribution list',
    who: owner,
    steps: [
      skusFor('group'),
      ...objectSteps('groups', {
        made: { name: 'Wire', email: 'wire-list@acme.test', members: ['jane@acme.test'] },
        changed: {
          name: 'Wires',
          email: 'wire-list@acme.test',
          members: ['jane@acme.test', 'x@elsewhere.test'],
        },
        config: { sender_policy: ['acme.test'] },
        found: named.extend({ email: z.string() }),
      }),
    ],
  },
  {
    name: 'a distribution list without members',
    who: owner,
    steps: [
      {
        send: 'POST /api/v4/groups',
        body: { name: 'Empty', email: 'empty@acme.test', members: [] },
        status: 422,
        reads: errorsAt('members'),
      },
    ],
  },
  {
    name: 'a resource',
    who: owner,
    steps: [
      skusFor('resource'),
      ...objectSteps('resources', {
        made: { name: 'Projector', domain: 'acme.test' },
        changed: { name: 'Beamer', domain: 'acme.test' },
        config: { invitation_policy: 'manual:jane@acme.test' },
        found: named.extend({ email: z.string() }),
      }),
    ],
  },
  {
    name: 'a shared folder',
    who: owner,
    steps: [
      skusFor('sharedFolder'),
      ...objectSteps('shared-folders', {
        made: { name: 'Wire', domain: 'acme.test', type: 'mail', aliases: ['wire-folder@acme.test'] },
        changed: { name: 'Wires', aliases: [] },
        config: { acl: ['jane@acme.test, read-only', 'anyone, read-write'] },
        found: named.extend({ type: z.string() }),
      }),
    ],
  },
  {
    name: 'rights of a shared folder that are none',
    who: owner,
    steps: [
      { send: 'GET /api/v4/shared-folders', keeps: { folder: 'list.0.id' } },
      {
        send: 'POST /api/v4/shared-folders/{folder}/config',
        body: { acl: ['jane@acme.test, everything'] },
        status: 422,
        reads: errorsAt('acl'),
      },
    ],
  },
]

const policies: readonly Flow[] = [
  {
    name: 'policies of the account',
    who: owner,
    steps: [
      {
        send: 'GET /api/v4/policies',
        reads: z.object({
          password: z.array(z.object({ label: z.string(), name: z.string(), enabled: z.boolean() })),
          mailDelivery: z.array(z.string()),
          config: z.record(z.string(), z.unknown()),
        }),
      },
      {
        send: 'POST /api/v4/users/{me}/config',
        body: { password_policy: 'min:11,max:120,upper', max_password_age: 0 },
        reads: success,
      },
      {
        send: 'POST /api/v4/users/{me}/config',
        body: {
          greylist_policy: true,
          itip_policy: false,
          externalsender_policy: true,
          externalsender_policy_domains: [],
        },
        reads: success,
      },
    ],
  },
  {
    name: 'companion devices',
    who: 'solo@example.test',
    steps: [
      { send: 'GET /api/v4/companions?page=1&search=', reads: listOf(z.object({ id: z.string() }), 0) },
      {
        send: 'POST /api/v4/companions',
        body: { name: 'My phone' },
        reads: success,
        keeps: { device: 'id' },
      },
      {
        send: 'GET /api/v4/companions/{device}',
        reads: z.object({ id: z.string(), name: z.string(), statusInfo: z.object({ isReady: z.boolean() }) }),
      },
      {
        send: 'GET /api/v4/companions/{device}/pairing/',
        reads: z.object({ qrcode: z.string().startsWith('data:image/') }),
      },
      { send: 'DELETE /api/v4/companions/{device}', reads: success },
    ],
  },
  {
    name: 'a member of an account asks for its users',
    who: 'jane@acme.test',
    steps: [{ send: 'GET /api/auth/info', reads: account }],
  },
]

/** Flows of owners and users with their accounts. */
export const accountFlows: readonly Flow[] = [...users, ...directory, ...policies]
