import type { RouteDefinition } from '@gatehouse/contract/route'
import type { Db } from '../../platform/db/database.ts'
import type { ConfigContext } from '../../platform/http/call.ts'
import { type FieldMessages, ValidationError } from '../../platform/http/errors.ts'
import { unless } from '../../platform/http/validation.ts'
import { actorOf } from '../../users/actor.ts'
import { canConfigure } from '../../users/policy.ts'
import { unknownKeyErrors } from '../../users/settings/unknown-keys.ts'
import type { Snapshot } from '../../users/user-snapshot.ts'
import type { ObjectParts } from '../directory-parts.ts'
import { changeObject } from './change-object.ts'
import type { DirectoryKind, DirectoryObject } from './object.ts'
import { requireObject, requireUsable } from './object-access.ts'
import type { ObjectRequest } from './object-detail.ts'

/** A setting of a kind's objects. */
export interface ObjectSetting {
  readonly kind: DirectoryKind
  readonly key: string
  /** Validates the value; returns a function that stores it, or an error. */
  readonly check: (
    db: Db,
    object: Pick<DirectoryObject, 'walletId'>,
    sent: unknown,
  ) => Promise<CheckedSetting>
  /** State that the audit log compares. */
  readonly snapshot: (trx: Db, object: DirectoryObject) => Promise<Snapshot>
}

export type CheckedSetting =
  | { readonly store: (trx: Db, object: Pick<DirectoryObject, 'id'>) => Promise<void> }
  | { readonly error: FieldMessages }

/**
 * Changes the configuration of an object that the caller may configure: all keys sent, or none. `settings` are
 * the settings of its kind.
 */
export async function changeObjectConfig(
  parts: ObjectParts,
  request: ObjectRequest & Pick<ConfigContext<RouteDefinition>, 'ip' | 'read'>,
  settings: readonly [ObjectSetting, ...ObjectSetting[]],
): Promise<void> {
  const { principal, params } = request
  const [{ kind }] = settings
  const object = await requireObject(parts, principal, { kind, id: params.id }, canConfigure)
  await requireUsable(parts, principal, kind, request)
  const { body: entries } = await request.read(async (sent) => {
    const errors: Record<string, FieldMessages> = unknownKeyErrors(sent, (name) =>
      settings.some(({ key }) => key === name),
    )
    for (const { key, check } of named(settings, sent)) {
      const checked = await check(parts.db, object, sent[key])
      if ('error' in checked) errors[key] = checked.error
    }
    return unless(errors, undefined)
  })
  const wanted = named(settings, entries)
  if (wanted.length === 0) return
  await changeObject(parts, {
    object,
    actor: actorOf(principal, request),
    event: `${kind}.configured`,
    snapshot: async (trx, now) => {
      const all = await Promise.all(settings.map(({ snapshot }) => snapshot(trx, now)))
      return Object.assign({}, ...all)
    },
    apply: async (trx, now) => {
      for (const { key, check } of wanted) {
        // a named user may have been deleted since
        const checked = await check(trx, now, entries[key])
        if ('error' in checked) throw new ValidationError({ [key]: checked.error })
        await checked.store(trx, now)
      }
      return undefined
    },
  })
}

/** Returns the settings that the input contains. */
function named(settings: readonly ObjectSetting[], sent: Readonly<Record<string, unknown>>) {
  return settings.filter(({ key }) => Object.hasOwn(sent, key))
}
