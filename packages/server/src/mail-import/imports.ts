import { type Actor, audit } from '../platform/audit.ts'
import { after, type Clock, day } from '../platform/clock.ts'
import type { Db } from '../platform/db/database.ts'
import { Conflict, message } from '../platform/http/errors.ts'
import { onceUuid } from '../platform/ids.ts'
import type { Purgeable } from '../platform/purge.ts'
import type { Secrets } from '../platform/secrets.ts'
import { endImport, insertImport, purgeImports, reopenImport, type StoredImport } from './import-store.ts'
import type { SourceServer } from './source/open-source.ts'
import { enqueueRun, importPasswordPurpose } from './work/import-job.ts'

export interface ImportParts {
  readonly db: Db
  readonly clock: Clock
  readonly secrets: Secrets
}

/** The user whose mailbox receives mail. Callers have checked the permission. */
export interface Receiver {
  readonly id: number
  readonly tenantId: number
}

export interface ImportedFolder {
  readonly name: string
  readonly path: string
  readonly target: string
}

/** Days after which an import that hasn't ended is given up, and its password forgotten. */
const passwordDays = 7
/** Days for which reports are kept. */
const reportDays = 90

/** Starts an import and returns its id. Throws Conflict if one is active. */
export function startImport(
  parts: ImportParts,
  user: Receiver,
  { folders, password, ...server }: SourceServer & { password: string; folders: readonly ImportedFolder[] },
  actor: Actor,
): Promise<string> {
  const { clock } = parts
  return parts.db.transaction().execute(async (trx) => {
    const id = onceUuid('mail-import')
    const { host, port, security, login } = server
    const values = { id, userId: user.id, host, port, security, login, folders, now: clock.now() }
    if (!(await insertImport(trx, { ...values, ...sealed(parts, password) }))) throw active()
    await enqueueRun(trx, id)
    await note(trx, clock, user, { event: 'mail-import.started', actor, data: { host, login } })
    return id
  })
}

/** Runs an ended import again, for what is new. Throws Conflict if one is active. */
export function repeatImport(
  parts: ImportParts,
  user: Receiver,
  { id, host, login }: Pick<StoredImport, 'id' | 'host' | 'login'>,
  { password, actor }: { readonly password: string; readonly actor: Actor },
): Promise<void> {
  return parts.db.transaction().execute(async (trx) => {
    if (!(await reopenImport(trx, { id, ...sealed(parts, password) }))) throw active()
    await enqueueRun(trx, id)
    await note(trx, parts.clock, user, { event: 'mail-import.started', actor, data: { host, login } })
  })
}

/** Cancels an import and forgets its password. What was copied stays. An ended import stays as it is. */
export function cancelImport(
  { db, clock }: Pick<ImportParts, 'db' | 'clock'>,
  user: Receiver,
  { id, host }: Pick<StoredImport, 'id' | 'host'>,
  actor: Actor,
): Promise<void> {
  return db.transaction().execute(async (trx) => {
    const end = { state: 'cancelled', problem: null, answer: null, now: clock.now() } as const
    if (!(await endImport(trx, id, end))) return
    await note(trx, clock, user, { event: 'mail-import.cancelled', actor, data: { host } })
  })
}

/** Gives up imports that take too long, and deletes old reports. */
export class PurgeImports implements Purgeable {
  readonly #parts: Pick<ImportParts, 'db' | 'clock'>

  constructor(parts: Pick<ImportParts, 'db' | 'clock'>) {
    this.#parts = parts
  }

  async purge(): Promise<void> {
    const now = this.#parts.clock.now()
    await purgeImports(this.#parts.db, now, after(now, -reportDays * day))
  }
}

function sealed({ secrets, clock }: ImportParts, password: string) {
  const expiresAt = after(clock.now(), passwordDays * day)
  return { password: secrets.encrypt(importPasswordPurpose, password), expiresAt }
}

function active(): Conflict {
  return new Conflict(message('mail-imports.active'))
}

interface Note {
  readonly event: string
  readonly actor: Actor
  readonly data: Record<string, unknown>
}

async function note(trx: Db, clock: Clock, { id, tenantId }: Receiver, entry: Note): Promise<void> {
  await audit(trx, clock, { tenantId, objectType: 'user', objectId: id, ...entry })
}
