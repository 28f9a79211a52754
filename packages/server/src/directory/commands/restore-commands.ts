import { directoryKinds, kinds } from '@gatehouse/contract/directory/kinds'
import { atCommandLine, type Command, UsageError } from '../../platform/cli/command.ts'
import { said } from '../../platform/cli/said.ts'
import type { FeatureSettings } from '../../platform/settings/feature-settings.ts'
import { Retention } from '../../users/retention.ts'
import { restoreDomain } from '../domains/restore-domain.ts'
import type { DirectoryKind } from '../objects/object.ts'
import { restoreObject } from '../objects/restore-object.ts'
import { findDomain, findObject } from './find-object.ts'

type Config = Pick<FeatureSettings, 'RETENTION_DAYS'>

/** Reason of a restoration for the audit log. Defaults to a comment that an operator did it. */
const reasonOf = (words: readonly string[]) => words.join(' ') || atCommandLine.comment

/** Restores a deleted list, resource or folder. */
const restoreCommand = (kind: DirectoryKind): Command<Config> => ({
  name: `${kind}:restore`,
  usage: `${kind}:restore <number or address> [reason]`,
  summary: `restore a deleted ${kinds[kind].noun} at its previous prices`,
  needs: 1,
  async run(context) {
    const { args, db, clock, config, print } = context
    const [text = '', ...words] = args
    const object = await findObject(db, kind, text, true)
    await restoreObject({ db, clock }, object, {}, config.RETENTION_DAYS, reasonOf(words)).catch(said)
    print(`${object.email} was restored.`)
  },
})

/** Commands that restore deleted objects within the retention period. */
export const restoreCommands: readonly Command<Config>[] = [
  {
    name: 'domain:restore',
    usage: 'domain:restore <name> [reason]',
    summary: 'restore a deleted domain; it must be verified again',
    needs: 1,
    async run(context) {
      const { args, db, clock, config, print } = context
      const retention = new Retention(clock, config.RETENTION_DAYS)
      const [text = '', ...words] = args
      const domain = await findDomain(db, text, true)
      if (domain.deletedAt !== null && domain.deletedAt <= retention.since()) {
        throw new UsageError(`There is no deleted domain ${text}.`)
      }
      await restoreDomain({ db, clock }, domain, {}, reasonOf(words)).catch(said)
      print(`${domain.namespace} was restored.`)
    },
  },
  ...directoryKinds.map(restoreCommand),
]
