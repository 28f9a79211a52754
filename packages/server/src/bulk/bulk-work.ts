import {
  type BulkAction,
  type BulkObjects,
  bulkActions,
  bulkObjects,
  importKinds,
} from '@gatehouse/contract/directory/bulk'
import { Forbidden, NotFound } from '../platform/http/errors.ts'
import { actorOfBatch, type Batch } from './batch.ts'
import type { Importers } from './import-routes.ts'
import { readPerson } from './person.ts'
import { type ActsByKind, actOf } from './plan-bulk.ts'
import type { BatchWork } from './work-batch.ts'

/** Returns the implementation for any kind of batch. */
export function batchWork(acts: ActsByKind, importers: Importers): (batch: Batch) => BatchWork {
  const actWork = bulkWork(acts)
  return (batch) => {
    if (batch.kind === 'bulk') return actWork
    const kind = importKinds.find((name) => name === batch.objects)
    const importer = kind && importers[kind]
    if (importer === undefined) throw new RangeError(`batch ${batch.id} has no kind`)
    return importer.work
  }
}

/** Implementation of bulk actions. */
function bulkWork(acts: ActsByKind): BatchWork {
  return {
    async begin(trx, batch) {
      const [objects, action] = names(batch)
      const [, act] = actOf(acts, objects, action)
      const { actor } = batch
      const person = actor === null ? undefined : await readPerson(trx, actor.userId)
      if (actor === null || person === undefined) {
        return async () => {
          throw new Forbidden()
        }
      }
      const work = await act.begin(trx, batch, person, actorOfBatch(actor))
      return async ({ objectId }) => {
        if (objectId === null) throw new NotFound()
        await work(objectId)
        return objectId
      }
    },
  }
}

/** A batch's object kind and action, as known to this version. */
function names(batch: Batch): [BulkObjects, BulkAction] {
  const objects = bulkObjects.find((name) => name === batch.objects)
  const action = bulkActions.find((name) => name === batch.action)
  if (objects === undefined || action === undefined) throw new RangeError(`batch ${batch.id} has no kind`)
  return [objects, action]
}
