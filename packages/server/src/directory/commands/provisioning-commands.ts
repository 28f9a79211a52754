import { type Command, CommandFailed, UsageError } from '../../platform/cli/command.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import { provisionAll } from '../../platform/provision/provision.ts'
import type { FeatureSettings } from '../../platform/settings/feature-settings.ts'
import type { BackendSettings } from '../../provisioning/backend-settings.ts'
import { CyrusInspector } from '../../provisioning/cyrus/cyrus-inspector.ts'
import { openCyrus } from '../../provisioning/open-backend.ts'
import { objectsInBackend } from '../../provisioning/provisioning-store.ts'
import { userAdapter } from '../../provisioning/user-adapter.ts'
import { objectAdapters } from '../objects/object-adapters.ts'

type Config = BackendSettings & Pick<FeatureSettings, 'APP_LDAP'>

/** Commands about the groupware behind the portal. */
export const provisioningCommands: readonly Command<Config>[] = [
  {
    name: 'provisioning:verify',
    usage: 'provisioning:verify [--repair]',
    summary:
      'compare mailboxes, quotas and access lists in the groupware with the portal; --repair enqueues what differs',
    needs: 0,
    async run({ args, config, db, clock, print, answer }) {
      const unknown = args.find((arg) => arg !== '--repair')
      if (unknown !== undefined) throw new UsageError(`There is no option ${unknown}.`)
      if (config.GROUPWARE_BACKEND === 'null') throw new CommandFailed('No groupware is connected.')
      const { differences, repaired } = await verify({ config, db, clock }, args.includes('--repair'))
      const row = answer.list()
      for (const line of differences) row({ difference: line }, line)
      if (args.includes('--repair')) print(`Enqueued ${repaired} objects.`)
      else if (differences.length > 0) throw new CommandFailed(`${differences.length} differences.`)
      else print('The groupware matches the portal.')
    },
  },
]

interface Verified {
  readonly differences: readonly string[]
  /** Number of objects that were enqueued. */
  readonly repaired: number
}

/** Compares each object that the store should have. Mailboxes of nobody are reported, but never deleted. */
async function verify(
  { config, db, clock }: { readonly config: Config; readonly db: Db; readonly clock: Clock },
  withRepair: boolean,
): Promise<Verified> {
  const store = openCyrus(config, clock)
  try {
    const backend = new CyrusInspector(store)
    const parts = { backend, clock, withLdap: config.APP_LDAP }
    const users = userAdapter({ ...parts, onReady: () => Promise.resolve() })
    const differences: string[] = []
    let repaired = 0
    for (const adapter of [users, ...objectAdapters(parts)]) {
      const wrong: number[] = []
      for (const id of await objectsInBackend(db, adapter.kind)) {
        const present = await adapter.read(db, id)
        if (present === undefined || present.isDeleted) continue
        await present.update([])
        const found = backend.takeDifferences()
        differences.push(...found)
        if (found.length > 0) wrong.push(id)
      }
      if (withRepair) await provisionAll(db, adapter.kind, wrong)
      if (withRepair) repaired += wrong.length
    }
    const strangers = (await backend.strangers()).map((name) => `${name}: belongs to nobody in the portal`)
    return { differences: [...differences.sort(), ...strangers], repaired }
  } finally {
    store.close()
  }
}
