import { ObjectMissing } from './content-store.ts'
import type { FileStorage } from './file-storage.ts'
import { completeContents } from './piece-store.ts'
import { hashContent } from './read-content.ts'
import { ContentDamaged } from './segments.ts'

/** Contents read per batch. */
const batch = 100

/** Result for one content; without a problem it is intact. */
export interface Finding {
  readonly contentId: string
  readonly problem: string | undefined
}

/** Reads every complete, referenced content and verifies its checksum. */
export async function* findDamage(storage: FileStorage): AsyncGenerator<Finding> {
  for (let last = '00000000-0000-0000-0000-000000000000'; ; ) {
    const rows = await completeContents(storage.db, last, batch)
    for (const { id, size, sha256 } of rows) {
      last = id
      yield { contentId: id, problem: await problemOf(storage, id, size, sha256) }
    }
    if (rows.length < batch) return
  }
}

async function problemOf(
  storage: FileStorage,
  id: string,
  size: number,
  expected: Buffer | null,
): Promise<string | undefined> {
  try {
    const found = await hashContent(storage, id, size)
    return expected?.equals(found) === true ? undefined : 'the checksum differs'
  } catch (error) {
    if (error instanceof ObjectMissing) return `${error.message} is missing`
    if (error instanceof ContentDamaged) return `damaged: ${error.message}`
    throw error
  }
}
