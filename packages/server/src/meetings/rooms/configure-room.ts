import { roomConfigInput, type roomRoutes } from '@gatehouse/contract/meetings/rooms'
import type { Db } from '../../platform/db/database.ts'
import type { LateContext } from '../../platform/http/call.ts'
import { type FieldMessages, ValidationError } from '../../platform/http/errors.ts'
import { unless } from '../../platform/http/validation.ts'
import { actorOf } from '../../users/actor.ts'
import { unknownKeyErrors } from '../../users/settings/unknown-keys.ts'
import { controlsRoom, mayChange } from '../policy.ts'
import { changeRoom } from './change-room.ts'
import type { Room } from './room.ts'
import { requireRoom } from './room-access.ts'
import { checkModerators, type SentModerators } from './room-acl.ts'
import type { RoomParts } from './room-parts.ts'
import { isSamePassword, openPassword, sealPassword } from './room-password.ts'
import { type RoomChange, writeModerators, writeRoom } from './room-store.ts'

type Context = LateContext<(typeof roomRoutes)['POST /api/v4/rooms/{id}/config']>

const keys = Object.keys(roomConfigInput.shape)

/**
 * Changes the configuration of a room: all keys sent, or none; reference api-meet §1.2. An `acl` sent by a
 * moderator is ignored, because other clients always include it.
 */
export async function configureRoom(parts: RoomParts, context: Context): Promise<void> {
  const { principal, params } = context
  const room = await requireRoom(parts.db, principal, params.id, mayChange)
  const { body, found: namesModerators } = await context.read(async (fields) => {
    const isSent = fields.acl !== undefined && controlsRoom(principal, room)
    const errors: Record<string, FieldMessages> = unknownKeyErrors(fields, (key) => keys.includes(key))
    const moderators = isSent ? await checkModerators(parts.db, room, fields.acl) : undefined
    if (moderators !== undefined && 'error' in moderators) errors.acl = moderators.error
    return unless(errors, isSent)
  })
  const password = body.password === undefined ? {} : { password: body.password }
  await changeRoom(parts, {
    room,
    actor: actorOf(principal, context),
    event: 'room.configured',
    snapshot: async (_, now) => ({
      locked: now.locked,
      nomedia: now.nomedia,
      password: now.password !== null,
      moderators: now.moderators.map((one) => one.email),
    }),
    apply: async (trx, now) => {
      const change = { ...switches(body), ...changedPassword(parts, now, password.password) }
      if (Object.keys(change).length > 0) await writeRoom(trx, parts.clock, now.id, change)
      if (namesModerators) await share(trx, parts, now, body.acl)
      // the audit log only says that the password changed
      const isReplaced = now.password !== null && change.password instanceof Buffer
      return isReplaced ? { passwordChanged: true } : undefined
    },
  })
}

function switches(body: {
  readonly locked?: boolean | null | undefined
  readonly nomedia?: boolean | null | undefined
}): RoomChange {
  return {
    ...(body.locked !== undefined && { locked: body.locked ?? false }),
    ...(body.nomedia !== undefined && { nomedia: body.nomedia ?? false }),
  }
}

function changedPassword(
  { secrets }: RoomParts,
  room: Room,
  wanted: string | null | undefined,
): { password?: Buffer | null } {
  if (wanted === undefined) return {}
  const now = openPassword(secrets, room.password)
  const isSame = now === null || wanted === null ? now === wanted : isSamePassword(now, wanted)
  return isSame ? {} : { password: sealPassword(secrets, wanted) }
}

/** The named users may have been deleted since validation. */
async function share(trx: Db, { clock }: RoomParts, room: Room, sent: SentModerators): Promise<void> {
  const checked = await checkModerators(trx, room, sent)
  if ('error' in checked) throw new ValidationError({ acl: checked.error })
  await writeModerators(trx, clock, room.id, checked.holders)
}
