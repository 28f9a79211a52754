import { z } from 'zod'
import { sku, wantedSkus } from '../billing/subscriptions.ts'
import { objectDetail, objectListItem, revisionInput } from '../directory/directory.ts'
import { objectIdParams } from '../directory/users.ts'
import { successEnvelope } from '../envelope.ts'
import { pagedList, pageQuery } from '../list.ts'
import { borrowedCallers, defineRoutes } from '../route.ts'
import { maxNickname } from './meet-rules.ts'

/** Video meeting rooms: management, and the request to join. Signalling is in meet-signalling.ts. */

/** Name of a room in its URL `/meet/{name}`. */
export const roomName = z.string().regex(/^[a-zA-Z0-9_-]{1,16}$/)

export const roomSortKeys = ['name', 'description', 'created'] as const

export const roomListItem = objectListItem.extend({
  name: roomName,
  description: z.string().nullable(),
  isReady: z.boolean(),
  isDeleted: z.boolean(),
  /** The reader controls the account of the room; otherwise it is shared with the reader. */
  isOwner: z.boolean(),
  /** A meeting is in progress. */
  isOpen: z.boolean(),
  /** Number of participants. */
  participants: z.number().int(),
})

export type RoomListItem = z.infer<typeof roomListItem>

/**
 * Without `page` and `size` the whole list is returned, as other API clients expect, up to this many rows.
 */
export const maxListedRooms = 1000

export const roomConfig = z.object({
  /** Moderators, `<address>, full`; only returned to controllers of the account. */
  acl: z.array(z.string()).optional(),
  locked: z.boolean(),
  /** Only owners may send audio and video. */
  nomedia: z.boolean(),
  password: z.string().nullable(),
})

export type RoomConfig = z.infer<typeof roomConfig>

export const roomDetail = objectDetail.omit({ status: true, statusInfo: true }).extend({
  name: roomName,
  description: z.string().nullable(),
  isReady: z.boolean(),
  isDeleted: z.boolean(),
  isOpen: z.boolean(),
  participants: z.number().int(),
  config: roomConfig,
  /** The room may have moderators: the reader controls the account and the room is shared. */
  canShare: z.boolean(),
  /** The reader controls the account. */
  isOwner: z.boolean(),
})

export type RoomDetail = z.infer<typeof roomDetail>

/** Maximum characters of a description and of a room's password. */
export const maxRoomText = 191

/** One line: no control characters, bidirectional overrides or lone surrogates. */
export const plainLine = /^[^\p{Cc}\p{Cs}\u2028\u2029\u202a-\u202e\u2066-\u2069]*$/u

const description = z.string().max(maxRoomText).regex(plainLine).nullish()

export const newRoomInput = z.object({
  description,
  /** Subscriptions; defaults to a personal room. */
  skus: wantedSkus.nullish(),
})

export type NewRoomInput = z.input<typeof newRoomInput>

/**
 * Absent keys stay unchanged; null clears the description. `skus` is limited to controllers of the account
 * (403).
 */
export const roomUpdate = z.object({ description, skus: wantedSkus.nullish(), revision: revisionInput })

export type RoomUpdate = z.input<typeof roomUpdate>

/** A boolean in all forms that clients send. */
const isSet = z
  .union([z.boolean(), z.number(), z.string().max(16)])
  .transform((value) => ![false, 0, '0', 'false', 'off', 'no', ''].includes(value))

const texts = z.union([z.string().max(1024), z.array(z.string().max(1024).nullable()).max(1000)])

/** Sets all given keys or none. Unknown keys are an error at that key. */
export const roomConfigInput = z.looseObject({
  /** Null clears it. */
  password: z.string().max(maxRoomText).nullish(),
  locked: isSet.nullish(),
  nomedia: isSet.nullish(),
  /** `<address>, full` each; the complete desired list. Ignored if the caller is only a moderator. */
  acl: texts.nullish(),
})

export type RoomConfigInput = z.input<typeof roomConfigInput>

/** Settings that apply when joining a room. */
export const joinConfig = z.object({
  locked: z.boolean(),
  nomedia: z.boolean(),
  /** Only returned to owners, otherwise ''. */
  password: z.string(),
  /** Participants other than owners must enter a password. */
  requires_password: z.boolean(),
})

export type JoinConfig = z.infer<typeof joinConfig>

export const joinInput = z.object({
  /** Falsy: only returns the current state. Truthy: opens the room, or enters it. */
  init: isSet.nullish(),
  password: z.string().max(1024).nullish(),
  /** Required if the room is locked; defaults to the name of a signed-in user. */
  nickname: z.string().max(maxNickname).regex(plainLine).nullish(),
  /** PNG as `data:image/png;base64,…`, shown to the moderators of a locked room. An invalid one is a 326. */
  picture: z.string().max(500_000).nullish(),
  /** 8 to 32 letters and digits that identify a knocking browser. An invalid one is a 326. */
  requestId: z.string().max(1024).nullish(),
  /** The caller wants to send. */
  canPublish: isSet.nullish(),
  /** The caller's signalling protocol: `gatehouse.meet.v1`. Any other one is a 500 in `code`. */
  signalling: z.string().max(64).nullish(),
  /** Identifies Socket.IO clients, whatever its value. Our own builds have never sent it. */
  screenShare: z.union([z.string().max(64), z.number(), z.boolean()]).nullish(),
})

export type JoinInput = z.input<typeof joinInput>

/**
 * Body of a 422 when joining. 322 has neither status nor message, because it isn't an error. 323: closed, wait
 * for an owner. 324: closed, opens with `init`. 325: the password is missing or wrong. 326: locked, and
 * nickname, requestId or picture is missing or invalid. 327: locked, and the knock waits or was denied
 * (`knock`). 500: the client uses another signalling protocol, so it can't enter; clients that don't know the
 * code show a server error, not a wait.
 */
export const joinRefusal = z.object({
  status: z.literal('error').optional(),
  message: z.string().optional(),
  code: z.union([
    z.literal(322),
    z.literal(323),
    z.literal(324),
    z.literal(325),
    z.literal(326),
    z.literal(327),
    z.literal(500),
  ]),
  config: joinConfig.optional(),
  knock: z.enum(['pending', 'denied']).optional(),
})

export type JoinRefusal = z.infer<typeof joinRefusal>

const tag = 'Rooms'

export const roomRoutes = defineRoutes({
  'GET /api/v4/rooms': {
    summary: 'List rooms in the accounts that the caller owns or controls, and rooms shared with the caller',
    tag,
    auth: 'token',
    openTo: borrowedCallers,
    hosts: ['user'],
    query: pageQuery.extend({
      /** Part of a name or description. */
      search: z.string().max(191).nullish(),
      sort: z.enum(roomSortKeys).nullish(),
      order: z.enum(['asc', 'desc']).nullish(),
      /** `deleted`: those that can be restored. */
      status: z.enum(['active', 'deleted']).nullish(),
    }),
    ok: pagedList(roomListItem).extend({ total: z.number().int(), message: z.string() }),
    errors: [401, 403, 404, 422],
  },
  'POST /api/v4/rooms': {
    summary: 'Create a room with a generated name',
    tag,
    auth: 'token',
    openTo: borrowedCallers,
    hosts: ['user'],
    body: newRoomInput,
    ok: successEnvelope.extend({ id: objectDetail.shape.id, name: roomName }),
    errors: [401, 403, 404, 422],
  },
  'GET /api/v4/rooms/{id}': {
    summary: 'Get a room by number or name',
    tag,
    auth: 'token',
    openTo: borrowedCallers,
    hosts: ['user'],
    params: objectIdParams,
    ok: roomDetail,
    errors: [401, 403, 404],
  },
  'PUT /api/v4/rooms/{id}': {
    summary: 'Change description or subscriptions of a room',
    tag,
    auth: 'token',
    openTo: borrowedCallers,
    hosts: ['user'],
    params: objectIdParams,
    body: roomUpdate,
    ok: successEnvelope.extend({ revision: z.string() }),
    errors: [401, 403, 404, 409, 422],
  },
  'DELETE /api/v4/rooms/{id}': {
    summary: 'Delete a room; a running meeting ends',
    tag,
    auth: 'token',
    openTo: borrowedCallers,
    hosts: ['user'],
    params: objectIdParams,
    ok: successEnvelope,
    errors: [401, 403, 404],
  },
  'POST /api/v4/rooms/{id}/restore': {
    summary: 'Restore a deleted room',
    tag,
    auth: 'token',
    openTo: borrowedCallers,
    hosts: ['user'],
    params: objectIdParams,
    body: z.object({}),
    ok: successEnvelope,
    errors: [401, 403, 404, 422],
  },
  'POST /api/v4/rooms/{id}/config': {
    summary: 'Change settings of a room, all keys or none; applies to a running meeting immediately',
    tag,
    auth: 'token',
    openTo: [],
    hosts: ['user'],
    params: objectIdParams,
    body: roomConfigInput,
    ok: successEnvelope,
    errors: [401, 403, 404, 422],
  },
  'GET /api/v4/rooms/{id}/skus': {
    summary: 'List subscriptions of a room, including available ones',
    tag,
    auth: 'token',
    openTo: borrowedCallers,
    hosts: ['user'],
    params: objectIdParams,
    ok: z.array(sku),
    errors: [401, 403, 404],
  },
  'POST /api/v4/meet/rooms/{name}': {
    summary: 'Check, open or join a room',
    tag: 'Meetings',
    auth: 'optional',
    // support staff don't listen to meetings
    openTo: [],
    hosts: ['user'],
    params: z.object({ name: z.string() }),
    body: joinInput,
    // with a picture of the person knocking
    bodyLimit: 512 * 1024,
    ok: z.object({
      /** For the first message on the signalling WebSocket; valid for two minutes. Must never be part of a URL. */
      token: z.string(),
      /** Bits of `meetRole`. */
      role: z.number().int(),
      config: joinConfig,
    }),
    refused: joinRefusal,
    errors: [403, 404, 422, 429, 500],
  },
})
