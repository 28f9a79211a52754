import type { Db } from '../db/database.ts'
import type { Secrets } from '../secrets.ts'
import {
  makeKeyCurrent,
  resealKey,
  type SealedColumn,
  type SealedValue,
  sealedAfter,
  writeSealed,
} from './key-store.ts'
import type { MasterSource } from './master-secret.ts'
import { openRing, openSecrets, sealKey } from './open-secrets.ts'

/** Values re-encrypted per transaction. */
const batch = 500

/** No process has started with the new master secret yet, so none could read re-encrypted data. */
export class NotPrepared extends Error {
  override name = 'NotPrepared'
}

export interface Rotated {
  /** Number of re-encrypted values. */
  readonly resealed: number
  /** Number of values that no key decrypts. */
  readonly unreadable: number
}

/**
 * Re-encrypts everything with the key of the newest master secret. Finished values are skipped, so it can be
 * interrupted and rerun at any time; everything stays readable in between. Throws NotPrepared.
 */
export async function rotateSecrets(
  db: Db,
  source: MasterSource,
  columns: readonly SealedColumn[],
  onBatch: () => Promise<void> = async () => {},
): Promise<Rotated> {
  await changeCurrentKey(db, source, columns)
  const secrets = await openSecrets(db, source, async () => columns)
  let resealed = 0
  let unreadable = 0
  for (const column of columns) {
    for (let last: readonly unknown[] | undefined; ; ) {
      const done = await db.transaction().execute((trx) => resealBatch(trx, secrets, column, last))
      resealed += done.resealed
      unreadable += done.unreadable
      last = done.last
      if (last === undefined) break
      await onBatch()
    }
  }
  return { resealed, unreadable }
}

/** Makes the key under the newest master secret the current one, and re-seals the others with that secret. */
async function changeCurrentKey(
  db: Db,
  source: MasterSource,
  columns: readonly SealedColumn[],
): Promise<void> {
  const { masters, keys } = await openRing(db, source, async () => columns)
  const next = keys.findLast(({ isUnderNewest }) => isUnderNewest)
  if (next === undefined) throw new NotPrepared()
  await db.transaction().execute(async (trx) => {
    const current = keys.find(({ isCurrent }) => isCurrent)
    if (current?.isUnderNewest !== true) await makeKeyCurrent(trx, next.n)
    for (const { n, key, isUnderNewest } of keys) {
      if (!isUnderNewest) await resealKey(trx, n, sealKey(masters.listed[0], key))
    }
  })
}

async function resealBatch(
  trx: Db,
  secrets: Secrets,
  column: SealedColumn,
  last: readonly unknown[] | undefined,
): Promise<Rotated & { readonly last: readonly unknown[] | undefined }> {
  const values = await sealedAfter(trx, column, last, batch)
  const old = values.filter(({ sealed }) => !secrets.isCurrent(column.purpose, sealed))
  const resealed: SealedValue[] = old.flatMap(({ key, sealed }) => {
    const text = tryDecrypt(secrets, column.purpose, sealed)
    return text === undefined ? [] : [{ key, sealed: secrets.encrypt(column.purpose, text) }]
  })
  await writeSealed(trx, column, resealed)
  return { resealed: resealed.length, unreadable: old.length - resealed.length, last: values.at(-1)?.key }
}

/** Undefined: it was sealed with a secret that has been lost. */
function tryDecrypt(secrets: Secrets, purpose: string, sealed: Buffer): string | undefined {
  try {
    return secrets.decrypt(purpose, sealed)
  } catch {
    return undefined
  }
}
