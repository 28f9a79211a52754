import { after, type Clock, day } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import type { Purgeable } from '../../platform/purge.ts'
import { removePasses } from './store.ts'

/** Deletes expired sign-ins. */
export class PurgePasses implements Purgeable {
  readonly #db: Db
  readonly #clock: Clock

  constructor(db: Db, clock: Clock) {
    this.#db = db
    this.#clock = clock
  }

  async purge(): Promise<void> {
    await removePasses(this.#db, after(this.#clock.now(), -day))
  }
}
