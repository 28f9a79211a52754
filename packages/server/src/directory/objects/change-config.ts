import type { RouteDefinition } from '@gatehouse/contract/route'
import type { Db } from '../../platform/db/database.ts'
import type { ConfigContext } from '../../platform/http/call.ts'
import { type FieldMessages, ValidationError } from '../../platform/http/errors.ts'
import { unless } from '../../platform/http/validation.ts'
import { actorOf } from '../../users/actor.ts'
import { canConfigure } from '../../users/policy.ts'
import { unknownKeyErrors } from '../../users/settings/unknown-keys.ts'
import type { Snapshot } from '../../users/user-snapshot.ts'
import type { DirectoryParts } from '../directory-parts.ts'
import { changeObject } from './change-object.ts'
import type { DirectoryKind, DirectoryObject } from './object.ts'
import { requireObject, requireUsable } from './object-access.ts'
import type { ObjectRequest } from './object-detail.ts'

/** The one setting that objects of a kind have. */
export interface ObjectSetting<Value> {
  readonly kind: DirectoryKind
  readonly key: string
  /** Reads what was sent; a value, or what is wrong with it. */
  readonly check: (
    db: Db,
    object: DirectoryObject,
    sent: unknown,
  ) => Promise<{ readonly value: Value } | { readonly error: FieldMessages }>
  /** What the record of changes compares. */
  readonly snapshot: (trx: Db, object: DirectoryObject) => Promise<Snapshot>
  readonly write: (trx: Db, object: Pick<DirectoryObject, 'id'>, value: Value) => Promise<void>
}

/** Sets the configuration of an object that the caller may configure: all keys that were sent, or none. */
export async function changeObjectConfig<Value>(
  parts: DirectoryParts,
  request: ObjectRequest & Pick<ConfigContext<RouteDefinition>, 'ip' | 'read'>,
  setting: ObjectSetting<Value>,
): Promise<void> {
  const { principal, params } = request
  const { kind, key } = setting
  const object = await requireObject(parts, principal, { kind, id: params.id }, canConfigure)
  await requireUsable(parts, principal, kind, request)
  const { body: entries } = await request.read(async (sent) => {
    const errors: Record<string, FieldMessages> = unknownKeyErrors(sent, (name) => name === key)
    const checked = Object.hasOwn(sent, key) ? await setting.check(parts.db, object, sent[key]) : undefined
    if (checked !== undefined && 'error' in checked) errors[key] = checked.error
    return unless(errors, undefined)
  })
  if (!Object.hasOwn(entries, key)) return
  await changeObject(parts, {
    object,
    actor: actorOf(principal, request),
    event: `${kind}.configured`,
    snapshot: setting.snapshot,
    apply: async (trx, now) => {
      // who is named may be gone since
      const again = await setting.check(trx, now, entries[key])
      if ('error' in again) throw new ValidationError({ [key]: again.error })
      await setting.write(trx, now, again.value)
      return undefined
    },
  })
}
