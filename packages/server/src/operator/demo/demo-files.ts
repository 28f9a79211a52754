import { Readable } from 'node:stream'
import { createCollection } from '../../files/items/create-collection.ts'
import { addShare } from '../../files/shares.ts'
import { FileKeys } from '../../files/storage/file-keys.ts'
import { openStore } from '../../files/storage/open-store.ts'
import { Uploads } from '../../files/uploads/uploads.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import type { Secrets } from '../../platform/secrets.ts'
import type { OperatorConfig } from '../operator-config.ts'
import { demoCollection, demoFiles } from './demo-data.ts'
import { demoUser } from './demo-store.ts'

const ownerEmail = 'owner@acme.test'
const readerEmail = 'jane@acme.test'

interface Parts {
  readonly db: Db
  readonly clock: Clock
  readonly config: OperatorConfig
  readonly secrets: Secrets
}

/** Adds files and a shared collection to the demo's owner. */
export async function makeDemoFiles({ db, clock, config, secrets }: Parts): Promise<void> {
  const owner = await demoUser(db, ownerEmail)
  const store = await openStore(config, db)
  const uploads = new Uploads({
    ...{ db, clock, store, secrets, settings: config },
    keys: new FileKeys(db, clock, secrets),
  })
  const actor = { userId: owner.id, email: ownerEmail }
  const collection = await createCollection(
    { db, clock },
    {
      ownerId: owner.id,
      tenantId: owner.tenantId,
      ...{ parents: [], name: demoCollection, properties: {}, conflict: 'keep' },
      createdBy: owner.id,
    },
    actor,
  )
  for (const { name, isShared, content } of demoFiles) {
    const bytes = Buffer.from(content)
    const { upload } = await uploads.begin({
      ...{ userId: owner.id, sessionId: null, ownerId: owner.id, tenantId: owner.tenantId, itemId: null },
      ...{ parents: isShared ? [collection.id] : [], name, size: bytes.length, facts: { actor } },
    })
    await uploads.receive(upload, 0, Readable.from([bytes]))
  }
  const share = { address: readerEmail, rights: 'read-write' } as const
  await db.transaction().execute((trx) => addShare(trx, clock, collection, share, actor))
  store.close()
}
