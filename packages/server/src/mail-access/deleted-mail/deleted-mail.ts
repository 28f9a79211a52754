import type { RestorePeriod } from '@gatehouse/contract/mail/restore-periods'
import { type Actor, audit } from '../../platform/audit.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import { HttpError, message, NotFound, Unavailable, ValidationError } from '../../platform/http/errors.ts'
import type { Log } from '../../platform/log.ts'
import type { GroupwareBackend } from '../../provisioning/backend.ts'
import { CyrusBackend } from '../../provisioning/cyrus/cyrus-backend.ts'
import { CyrusDeletedMail } from '../../provisioning/cyrus/cyrus-deleted-mail.ts'
import { type DeletedMailStore, NoRoomToRestore } from '../../provisioning/deleted-mail.ts'

/** Returns what a groupware keeps of deleted mail; undefined: nothing. */
export function deletedMailOf(backend: GroupwareBackend): DeletedMailStore | undefined {
  return backend instanceof CyrusBackend ? new CyrusDeletedMail(backend.parts) : undefined
}

export interface RestoreParts {
  readonly db: Db
  readonly clock: Clock
  readonly log: Log
}

/** The user whose mail is restored, and who does it. */
export interface RestoreFor {
  readonly user: { readonly id: number; readonly tenantId: number; readonly email: string }
  readonly actor: Actor
}

/** Asks the store. Its failures are logged, and answered with 503. */
export async function fromStore<Result>(log: Log, ask: () => Promise<Result>): Promise<Result> {
  try {
    return await ask()
  } catch (error) {
    if (error instanceof HttpError) throw error
    log.error({ err: error }, 'the mail store did not answer about deleted mail')
    throw new Unavailable(30)
  }
}

/** Restores the messages of a period. A repeated call finds nothing more to restore. Returns their number. */
export async function restoreDeletedMessages(
  { db, clock, log }: RestoreParts,
  store: DeletedMailStore,
  { user, actor }: RestoreFor,
  days: RestorePeriod,
): Promise<number> {
  const messages = await fromStore(log, () => store.restoreMessages(user.email, days))
  const about = { tenantId: user.tenantId, objectType: 'user', objectId: user.id, actor }
  await audit(db, clock, { ...about, event: 'deleted-mail.messages-restored', data: { days, messages } })
  return messages
}

/** Restores a folder. Returns its path. Throws NotFound if the store doesn't keep it any more. */
export async function restoreDeletedFolder(
  { db, clock, log }: RestoreParts,
  store: DeletedMailStore,
  { user, actor }: RestoreFor,
  id: string,
): Promise<string> {
  const folder = await fromStore(log, () => restoreWithRoom(store, user.email, id))
  if (folder === undefined) throw new NotFound()
  const about = { tenantId: user.tenantId, objectType: 'user', objectId: user.id, actor }
  // folder names are the user's own business
  await audit(db, clock, { ...about, event: 'deleted-mail.folder-restored', data: {} })
  return folder
}

async function restoreWithRoom(
  store: DeletedMailStore,
  email: string,
  id: string,
): Promise<string | undefined> {
  try {
    return await store.restoreFolder(email, id)
  } catch (error) {
    if (error instanceof NoRoomToRestore)
      throw new ValidationError({ folder: message('deleted-mail.no-room') })
    throw error
  }
}
