import {
  actAs,
  CommandRefused,
  type SieveAccess,
  type SieveSession,
} from '../../provisioning/managesieve/session.ts'
import { ScriptRefused, type SieveServer, type Upload, type Uploaded } from '../sieve-server.ts'

/** Name of the portal's script. */
export const scriptName = 'gatehouse'

/** Uploads filters by ManageSieve, for Cyrus and others. */
export class ManageSieveServer implements SieveServer {
  readonly #access: SieveAccess

  constructor(access: SieveAccess) {
    this.#access = access
  }

  upload({ user, script, replacesOther }: Upload): Promise<Uploaded> {
    return actAs(this.#access, user, async (session) => {
      const scripts = await session.list()
      const active = scripts.find(({ isActive }) => isActive)?.name
      const other = active === undefined || active === scriptName ? null : active
      if (script === undefined) {
        if (active === scriptName) await session.activate('')
        if (scripts.some(({ name }) => name === scriptName)) await session.remove(scriptName)
        return { otherScript: other }
      }
      await store(session, script)
      if (other !== null && !replacesOther) return { otherScript: other }
      if (active !== scriptName) await session.activate(scriptName)
      return { otherScript: null }
    })
  }
}

async function store(session: SieveSession, script: string): Promise<void> {
  try {
    await session.put(scriptName, script)
  } catch (error) {
    throw error instanceof CommandRefused ? new ScriptRefused(error.message) : error
  }
}
