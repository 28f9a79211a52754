import { z } from 'zod'
import type { Flow } from './flow.ts'
import { errorsAt, failure, listOf, sku, success, wallet } from './shapes.ts'

const owner = 'owner@acme.test'

const file = z.object({ id: z.string(), name: z.string(), type: z.enum(['file', 'collection']) })
const text = { type: 'text/plain', content: 'Hello' }

const files: readonly Flow[] = [
  {
    name: 'the list of files',
    who: owner,
    steps: [
      { send: 'GET /api/v4/fs?page=1&search=', reads: listOf(file) },
      { send: 'GET /api/v4/fs?page=1&search=welcome', reads: listOf(file) },
    ],
  },
  {
    name: 'upload a small file, look at it, download and delete it',
    who: owner,
    steps: [
      {
        send: 'POST /api/v4/fs?name=note.txt',
        raw: text,
        reads: z.object({ status: z.literal('success'), id: z.string(), name: z.literal('note.txt') }),
        keeps: { file: 'id' },
      },
      {
        send: 'GET /api/v4/fs/{file}',
        reads: z.object({
          ...{ name: z.string(), size: z.literal(5), mimetype: z.string(), mtime: z.string() },
          ...{ isOwner: z.literal(true), canUpdate: z.boolean(), canDelete: z.literal(true) },
        }),
      },
      {
        send: 'GET /api/v4/fs/{file}?downloadUrl=1',
        reads: z.object({ downloadUrl: z.string() }),
        keeps: { url: 'downloadUrl' },
      },
      { send: 'GET {url}', isOpen: true, reads: z.literal('Hello') },
      { send: 'PUT /api/v4/fs/{file}', body: { name: 'renamed.txt' } },
      { send: 'DELETE /api/v4/fs/{file}', reads: success },
      { send: 'GET /api/v4/fs/{file}', status: 404 },
    ],
  },
  {
    name: 'upload a file in pieces',
    who: owner,
    steps: [
      {
        send: 'POST /api/v4/fs?name=large.txt&media=resumable&size=10',
        raw: { type: 'text/plain', content: '' },
        reads: z.object({ uploadId: z.string(), uploaded: z.literal(0), maxChunkSize: z.number() }),
        keeps: { upload: 'uploadId' },
      },
      {
        send: 'POST /api/v4/fs/uploads/{upload}?from=0',
        isOpen: true,
        raw: text,
        reads: z.object({ status: z.literal('success'), uploadId: z.string() }),
      },
      {
        send: 'POST /api/v4/fs/uploads/{upload}?from=5',
        isOpen: true,
        raw: text,
        reads: z.object({ id: z.string() }),
      },
    ],
  },
  {
    name: 'a folder, and a name that is none',
    who: owner,
    steps: [
      {
        send: 'POST /api/v4/fs',
        body: { name: 'Wire', type: 'collection', parent: '' },
        reads: success,
        keeps: { folder: 'id' },
      },
      { send: 'GET /api/v4/fs?page=1&search=&parent={folder}', reads: listOf(file, 0) },
      { send: 'POST /api/v4/fs?name=inside.txt&parent={folder}', raw: text },
      { send: 'GET /api/v4/fs?page=1&search=&parent={folder}', reads: listOf(file) },
      {
        send: 'POST /api/v4/fs',
        body: { name: 'a/b', type: 'collection' },
        status: 422,
        reads: errorsAt('name'),
      },
      { send: 'DELETE /api/v4/fs/{folder}', reads: success },
    ],
  },
  {
    name: 'share a file, and end that',
    who: owner,
    steps: [
      { send: 'POST /api/v4/fs?name=shared.txt', raw: text, keeps: { file: 'id' } },
      {
        send: 'POST /api/v4/fs/{file}/permissions',
        body: { permissions: 'read-only', user: 'jane@acme.test' },
        reads: success.extend({ id: z.string(), user: z.string(), link: z.string() }),
        keeps: { share: 'id' },
      },
      {
        send: 'GET /api/v4/fs/{file}/permissions',
        reads: listOf(z.object({ id: z.string(), user: z.string(), link: z.string() })),
      },
      { send: 'GET /api/v4/fs/{share}', isOpen: true, status: 401, reads: failure },
      { send: 'DELETE /api/v4/fs/{file}/permissions/{share}', reads: success },
    ],
  },
]

const roomDetail = z.object({
  ...{ id: z.number(), name: z.string(), description: z.string().nullable() },
  ...{ canUpdate: z.boolean(), canDelete: z.boolean(), canShare: z.boolean(), isOwner: z.boolean() },
  config: z.object({ locked: z.boolean(), nomedia: z.boolean(), password: z.string().nullable() }),
})

/** The client's request to join a room. */
const door = (init: 0 | 1, password = '') => ({
  ...{ password, nickname: 'Wire', screenShare: 1, init, picture: '', canPublish: true },
  requestId: '179582374923847239847239',
})
const doorSays = (code: number) => z.object({ code: z.literal(code) })

const rooms: readonly Flow[] = [
  {
    name: 'a room',
    who: owner,
    steps: [
      { send: 'GET /api/v4/rooms', reads: listOf(z.object({ id: z.number(), name: z.string() }), 2) },
      { send: 'GET /api/v4/skus?type=room', reads: z.array(sku) },
      { send: 'POST /api/v4/rooms', body: { description: 'Wire' }, reads: success, keeps: { room: 'id' } },
      { send: 'GET /api/v4/rooms/{room}', reads: roomDetail },
      { send: 'PUT /api/v4/rooms/{room}', body: { description: 'Wires' }, reads: success },
      {
        send: 'POST /api/v4/rooms/{room}/config',
        body: { password: 'x', locked: true, nomedia: 0 },
        reads: success,
      },
      { send: 'DELETE /api/v4/rooms/{room}', reads: success },
    ],
  },
  {
    name: 'somebody a room is shared with',
    who: 'jane@acme.test',
    steps: [
      {
        send: 'GET /api/v4/rooms/acme-daily',
        reads: roomDetail.extend({ canUpdate: z.literal(true), canDelete: z.literal(false) }),
      },
    ],
  },
  {
    name: 'a guest before a closed room, and before none',
    steps: [
      { send: 'POST /api/v4/meet/rooms/acme-daily', body: door(0), status: 422, reads: doorSays(323) },
      { send: 'POST /api/v4/meet/rooms/nowhere', body: door(0), status: 404, reads: failure },
    ],
  },
  {
    name: 'the owner of a room opens it, up to the media server',
    who: owner,
    steps: [
      { send: 'POST /api/v4/meet/rooms/acme-daily', body: door(0), status: 422, reads: doorSays(324) },
      { send: 'POST /api/v4/meet/rooms/acme-daily', body: door(1), status: 422, reads: doorSays(500) },
    ],
  },
]

const entry = z.object({
  ...{ id: z.string(), type: z.string(), description: z.string(), amount: z.number() },
  ...{ createdAt: z.string(), hasDetails: z.boolean(), currency: z.string() },
})
const mandate = z.object({
  ...{ amount: z.number(), balance: z.number(), minAmount: z.number() },
})
const method = z.object({ id: z.string(), name: z.string(), minimumAmount: z.number(), currency: z.string() })

const wallets: readonly Flow[] = [
  {
    name: 'the wallet',
    who: owner,
    steps: [
      { send: 'GET /api/auth/info', keeps: { wallet: 'wallets.0.id' } },
      { send: 'GET /api/v4/wallets/{wallet}', reads: wallet.extend({ notice: z.string().nullable() }) },
      { send: 'GET /api/v4/payments/mandate', reads: mandate },
      { send: 'GET /api/v4/payments/has-pending', reads: z.object({ hasPending: z.boolean() }) },
    ],
  },
  {
    name: 'the history of a wallet with details',
    who: owner,
    steps: [
      { send: 'GET /api/auth/info', keeps: { wallet: 'wallets.0.id' } },
      {
        send: 'GET /api/v4/wallets/{wallet}/transactions?page=1',
        reads: listOf(entry),
        keeps: { entry: 'list.1.id' },
      },
      {
        send: 'GET /api/v4/wallets/{wallet}/transactions?transaction={entry}',
        reads: listOf(entry.partial()),
      },
    ],
  },
  {
    name: 'receipts',
    who: owner,
    steps: [
      { send: 'GET /api/auth/info', keeps: { wallet: 'wallets.0.id' } },
      {
        send: 'GET /api/v4/wallets/{wallet}/receipts?page=1',
        reads: listOf(z.object({ period: z.string(), amount: z.number(), currency: z.string() })),
        keeps: { period: 'list.0.period' },
      },
      { send: 'GET /api/v4/wallets/{wallet}/receipts/{period}', reads: z.string().startsWith('%PDF') },
    ],
  },
  {
    name: 'referral programmes',
    who: owner,
    steps: [
      { send: 'GET /api/auth/info', keeps: { wallet: 'wallets.0.id' } },
      {
        send: 'GET /api/v4/wallets/{wallet}/referral-programs',
        reads: listOf(
          z.object({
            name: z.string(),
            url: z.string(),
            qrCode: z.string().startsWith('data:image/'),
            refcount: z.number(),
          }),
        ),
      },
    ],
  },
  {
    name: 'pending payments',
    who: owner,
    steps: [
      {
        send: 'GET /api/v4/payments/pending?page=1',
        reads: listOf(z.object({ amount: z.number(), status: z.string() })),
      },
    ],
  },
  {
    name: 'add money',
    who: 'solo@example.test',
    steps: [
      {
        send: 'GET /api/v4/payments/methods?type=oneoff',
        reads: z.array(method).min(1),
        keeps: { method: '0.id' },
      },
      {
        send: 'POST /api/v4/payments',
        body: { amount: '12.34', methodId: '{method}', currency: 'CHF' },
        reads: z.object({ status: z.literal('success'), redirectUrl: z.string() }),
      },
      {
        send: 'POST /api/v4/payments',
        body: { amount: '0', methodId: '{method}' },
        status: 422,
        reads: errorsAt('amount'),
      },
      {
        send: 'GET /api/v4/payments/status',
        reads: z.object({ status: z.string(), type: z.string(), statusMessage: z.string() }),
      },
    ],
  },
  {
    name: 'set auto-payment up, and end it',
    who: 'solo@example.test',
    steps: [
      { send: 'GET /api/v4/payments/methods?type=recurring', reads: z.array(method).min(1) },
      {
        send: 'POST /api/v4/payments/mandate',
        body: { amount: '20', balance: '5', methodId: 'creditcard', currency: 'CHF' },
        reads: z.object({ redirectUrl: z.string() }),
      },
      { send: 'GET /api/v4/payments/mandate', reads: mandate.extend({ isPending: z.literal(true) }) },
      { send: 'PUT /api/v4/payments/mandate', body: { amount: '30', balance: '5' }, reads: success },
      { send: 'DELETE /api/v4/payments/mandate', reads: success },
      {
        send: 'POST /api/v4/payments/mandate',
        body: { amount: '0', balance: '0' },
        status: 422,
        reads: errorsAt('amount'),
      },
    ],
  },
  {
    name: 'a member has no wallet to pay from',
    who: 'jane@acme.test',
    steps: [{ send: 'GET /api/v4/payments/methods?type=oneoff', status: 403, reads: failure }],
  },
]

/** Flows with files, rooms and wallets. */
export const useFlows: readonly Flow[] = [...files, ...rooms, ...wallets]
