import { z } from 'zod'
import type { Flow, Step } from './flow.ts'
import { addressed, errorsAt, listOf, sku, success, wallet } from './shapes.ts'

const admin = 'admin@example.test'
const reseller = 'reseller@partner.test'

/** Finds a customer like the cockpit's search. */
const find = (search: string): Step => ({
  send: `GET /api/v4/users?search=${search}`,
  reads: listOf(addressed.extend({ created_at: z.string(), deleted_at: z.string().nullish() })),
  keeps: { user: 'list.0.id' },
})
const ofUser: Step = { send: 'GET /api/v4/users/{user}', keeps: { wallet: 'wallet.id' } }
const chart = z.object({
  title: z.string(),
  type: z.string(),
  data: z.object({ labels: z.array(z.string()) }),
})
const charts = (names: readonly string[]): readonly Step[] =>
  names.map((name) => ({ send: `GET /api/v4/stats/chart/${name}`, reads: chart }))

const admins: readonly Flow[] = [
  {
    name: 'search by address, domain and part of none',
    who: admin,
    steps: [find('owner@acme.test'), find('acme.test')],
  },
  {
    name: 'the page of a user in the cockpit',
    who: admin,
    steps: [
      find('owner@acme.test'),
      {
        send: 'GET /api/v4/users/{user}',
        reads: z.object({
          ...{ id: z.number(), email: z.string(), created_at: z.string(), aliases: z.array(z.string()) },
          ...{ wallet: wallet.extend({ user_id: z.number() }), config: z.record(z.string(), z.unknown()) },
          ...{ isSuspended: z.boolean(), isRestricted: z.boolean(), skus: z.record(z.string(), z.unknown()) },
        }),
        keeps: { wallet: 'wallet.id' },
      },
      { send: 'GET /api/v4/wallets/{wallet}', reads: wallet.extend({ discount: z.number().nullish() }) },
      { send: 'GET /api/v4/users/{user}/skus', reads: z.array(sku) },
      { send: 'GET /api/v4/users?owner={user}', reads: listOf(addressed) },
      { send: 'GET /api/v4/domains?owner={user}', reads: listOf(z.object({ namespace: z.string() })) },
      { send: 'GET /api/v4/groups?owner={user}', reads: listOf(addressed) },
      { send: 'GET /api/v4/resources?owner={user}', reads: listOf(addressed) },
      { send: 'GET /api/v4/shared-folders?owner={user}', reads: listOf(addressed) },
      {
        send: 'GET /api/v4/wallets/{wallet}/transactions?page=1',
        reads: listOf(z.object({ user: z.string().nullish() })),
      },
      {
        send: 'GET /api/v4/wallets/{wallet}/receipts?page=1',
        reads: listOf(z.object({ period: z.string() })),
      },
    ],
  },
  {
    name: 'suspend a user and end that, with the history',
    who: admin,
    steps: [
      find('solo@example.test'),
      { send: 'POST /api/v4/users/{user}/suspend', body: { comment: 'A test' }, reads: success },
      { send: 'POST /api/v4/users/{user}/unsuspend', body: { comment: '' }, reads: success },
      {
        send: 'GET /api/v4/eventlog/user/{user}?page=1',
        reads: listOf(z.object({ event: z.string(), comment: z.string().nullable(), createdAt: z.string() })),
      },
    ],
  },
  {
    name: 'a discount',
    who: admin,
    steps: [
      find('solo@example.test'),
      ofUser,
      {
        send: 'GET /api/v4/users/{user}/discounts',
        reads: listOf(
          z.object({
            id: z.string(),
            discount: z.number(),
            description: z.string(),
            code: z.string().nullable(),
          }),
        ),
        keeps: { discount: 'list.0.id' },
      },
      {
        send: 'PUT /api/v4/wallets/{wallet}',
        body: { discount: '{discount}' },
        reads: success.extend({ discount: z.number(), discount_description: z.string() }),
      },
      { send: 'PUT /api/v4/wallets/{wallet}', body: { discount: '' }, reads: success },
    ],
  },
  {
    name: 'a bonus and a penalty',
    who: admin,
    steps: [
      find('solo@example.test'),
      ofUser,
      {
        send: 'POST /api/v4/wallets/{wallet}/one-off',
        body: { amount: '10.50', description: 'Bonus' },
        reads: success.extend({ balance: z.number() }),
      },
      {
        send: 'POST /api/v4/wallets/{wallet}/one-off',
        body: { amount: '-1', description: 'Penalty' },
        reads: success,
      },
      {
        send: 'POST /api/v4/wallets/{wallet}/one-off',
        body: { amount: '', description: '' },
        status: 422,
        reads: errorsAt('amount', 'description'),
      },
    ],
  },
  {
    name: 'resync a user, and take the limit to countries away',
    who: admin,
    steps: [
      find('ned@acme.test'),
      { send: 'POST /api/v4/users/{user}/resync', reads: success },
      { send: 'POST /api/v4/users/{user}/reset-geolock', reads: success },
    ],
  },
  {
    name: 'give beta to a user',
    who: admin,
    steps: [find('ned@acme.test'), { send: 'POST /api/v4/users/{user}/skus/beta', reads: success }],
  },
  {
    name: 'change the external address of a user',
    who: admin,
    steps: [
      find('ned@acme.test'),
      { send: 'PUT /api/v4/users/{user}', body: { external_email: 'ned@elsewhere.test' }, reads: success },
      {
        send: 'PUT /api/v4/users/{user}',
        body: { external_email: 'ned' },
        status: 422,
        reads: errorsAt('external_email'),
      },
    ],
  },
  {
    name: 'the page of a domain in the cockpit',
    who: admin,
    steps: [
      find('owner@acme.test'),
      { send: 'GET /api/v4/domains?owner={user}', keeps: { domain: 'list.0.id' } },
      {
        send: 'GET /api/v4/domains/{domain}',
        reads: z.object({ namespace: z.string(), dns: z.array(z.string()), mx: z.array(z.string()) }),
      },
      { send: 'POST /api/v4/domains/{domain}/suspend', body: { comment: '' }, reads: success },
      { send: 'POST /api/v4/domains/{domain}/unsuspend', body: { comment: '' }, reads: success },
      { send: 'GET /api/v4/eventlog/domain/{domain}?page=1', reads: listOf(z.object({ event: z.string() })) },
    ],
  },
  {
    name: 'the pages of a list, a resource and a folder in the cockpit',
    who: admin,
    steps: [
      find('owner@acme.test'),
      { send: 'GET /api/v4/groups?owner={user}', keeps: { list: 'list.0.id' } },
      {
        send: 'GET /api/v4/groups/{list}',
        reads: z.object({ name: z.string(), members: z.array(z.string()) }),
      },
      { send: 'POST /api/v4/groups/{list}/suspend', body: { comment: '' }, reads: success },
      { send: 'POST /api/v4/groups/{list}/unsuspend', body: { comment: '' }, reads: success },
      { send: 'GET /api/v4/resources?owner={user}', keeps: { resource: 'list.0.id' } },
      {
        send: 'GET /api/v4/resources/{resource}',
        reads: z.object({ config: z.object({ invitation_policy: z.string().nullable() }) }),
      },
      { send: 'GET /api/v4/shared-folders?owner={user}', keeps: { folder: 'list.0.id' } },
      {
        send: 'GET /api/v4/shared-folders/{folder}',
        reads: z.object({ type: z.string(), config: z.object({ acl: z.array(z.string()) }) }),
      },
    ],
  },
  {
    name: 'charts of an admin',
    who: admin,
    steps: charts(['users', 'users-all', 'income', 'payers', 'discounts', 'vouchers', 'users-per-country']),
  },
  {
    name: 'a user who is not there',
    who: admin,
    steps: [{ send: 'GET /api/v4/users/1', status: 404 }],
  },
]

const invitation = z.object({
  ...{ id: z.string(), email: z.string(), created: z.string() },
  ...{ isNew: z.boolean(), isSent: z.boolean(), isFailed: z.boolean(), isCompleted: z.boolean() },
})
const boundary = 'wire-boundary'
const form = (name: string, value: string, file = '') =>
  `--${boundary}\r\nContent-Disposition: form-data; name="${name}"${file}\r\n\r\n${value}\r\n--${boundary}--\r\n`

const resellers: readonly Flow[] = [
  {
    name: 'invitations',
    who: reseller,
    steps: [
      { send: 'GET /api/v4/invitations?page=1&search=', reads: listOf(invitation) },
      {
        send: 'POST /api/v4/invitations',
        raw: {
          type: `multipart/form-data; boundary=${boundary}`,
          content: form('email', 'wire@elsewhere.test'),
        },
        reads: success.extend({ count: z.literal(1) }),
      },
      {
        send: 'GET /api/v4/invitations?page=1&search=wire@elsewhere.test',
        reads: listOf(invitation),
        keeps: { invitation: 'list.0.id' },
      },
      { send: 'POST /api/v4/invitations/{invitation}/resend', reads: success.extend({ invitation }) },
      { send: 'DELETE /api/v4/invitations/{invitation}', reads: success },
    ],
  },
  {
    name: 'invitations from a file, and a wrong one',
    who: reseller,
    steps: [
      {
        send: 'POST /api/v4/invitations',
        raw: {
          type: `multipart/form-data; boundary=${boundary}`,
          content: form(
            'file',
            'a@elsewhere.test\nb@elsewhere.test,x\n',
            '; filename="list.csv"\r\nContent-Type: text/csv',
          ),
        },
        reads: success.extend({ count: z.literal(2) }),
      },
      { send: 'POST /api/v4/invitations', body: { email: 'nobody' }, status: 422, reads: errorsAt('email') },
    ],
  },
  {
    name: 'charts of a reseller',
    who: reseller,
    steps: charts(['users', 'users-all', 'payers', 'discounts', 'vouchers']),
  },
  {
    name: 'the wallet of a reseller',
    who: reseller,
    steps: [
      { send: 'POST /api/auth/info', body: {}, keeps: { wallet: 'wallets.0.id' } },
      { send: 'GET /api/v4/wallets/{wallet}', reads: wallet },
      { send: 'GET /api/v4/wallets/{wallet}/transactions?page=1', reads: listOf(z.unknown(), 0) },
    ],
  },
  {
    name: 'a customer of the reseller, and one of somebody else',
    who: reseller,
    steps: [
      find('nina@partner.test'),
      { send: 'GET /api/v4/users/{user}', reads: z.object({ isSuspended: z.literal(true) }) },
      { send: 'GET /api/v4/users?search=owner@acme.test', reads: listOf(addressed, 0) },
    ],
  },
]

/** Flows of staff in the cockpits. */
export const staffFlows: readonly Flow[] = [...admins, ...resellers]
