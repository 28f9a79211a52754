import { atCommandLine, type Command, UsageError } from '../../platform/cli/command.ts'
import { normaliseDomain } from '../../users/addresses/domain-name.ts'
import { readEmail } from '../../users/commands/find-user.ts'
import { readDomainByName } from '../domains/domain-store.ts'
import { setDomainSuspended } from '../domains/suspend-domain.ts'
import { setGroupSuspension } from '../groups/suspend-group.ts'
import { findGroup } from '../objects/object-store.ts'

const domainCommand = (name: 'suspend' | 'unsuspend', summary: string): Command => ({
  name: `domain:${name}`,
  usage: `domain:${name} <name>`,
  summary,
  needs: 1,
  async run({ args, db, clock, print }) {
    const namespace = normaliseDomain(args[0] ?? '')
    const domain = namespace === undefined ? undefined : await readDomainByName(db, namespace)
    if (domain === undefined || domain.deletedAt !== null)
      throw new UsageError(`There is no domain ${args[0]}.`)
    await db
      .transaction()
      .execute((trx) => setDomainSuspended(trx, clock, domain, name === 'suspend', atCommandLine))
    print(`${domain.namespace}: ${name}`)
  },
})

const groupCommand = (name: 'suspend' | 'unsuspend', summary: string): Command => ({
  name: `group:${name}`,
  usage: `group:${name} <address>`,
  summary,
  needs: 1,
  async run({ args, db, clock, print }) {
    const email = readEmail(args[0]).full
    await db.transaction().execute(async (trx) => {
      const group = await findGroup(trx, email)
      if (group === undefined) throw new UsageError(`There is no distribution list ${email}.`)
      await setGroupSuspension(trx, clock, group, name, atCommandLine)
    })
    print(`${email}: ${name}`)
  },
})

/** Suspensions of domains and distribution lists. */
export const suspendCommands: readonly Command[] = [
  domainCommand('suspend', 'suspend a domain: refuse its incoming mail and hold its outgoing mail'),
  domainCommand('unsuspend', 'lift the suspension of a domain'),
  groupCommand('suspend', 'stop all sending to a distribution list'),
  groupCommand('unsuspend', 'allow sending to a distribution list again'),
]
