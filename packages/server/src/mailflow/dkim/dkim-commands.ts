import {
  atCommandLine,
  type Command,
  type CommandContext,
  CommandFailed,
} from '../../platform/cli/command.ts'
import { dayOf } from '../../platform/cli/options.ts'
import { zoneFileText } from '../../platform/dns/text-record.ts'
import { normaliseDomain } from '../../users/addresses/domain-name.ts'
import { DkimKeys, type DkimKeysParts } from './dkim-keys.ts'
import { findKeyDomain, type KeyDomain, readKeys } from './dkim-store.ts'
import { keyRecord } from './key-record.ts'
import { publishedKeys } from './rotation.ts'

type Config = DkimKeysParts['config']
type Context = CommandContext<Config>

/** Commands for the DKIM keys of a domain. */
export const dkimCommands: readonly Command<Config>[] = [
  {
    name: 'dkim:show',
    usage: 'dkim:show <domain>',
    summary: 'list the DKIM keys of a domain',
    needs: 1,
    async run(context) {
      const { id } = await requireDomain(context)
      const keys = await readKeys(context.db, [id])
      if (keys.length === 0) context.print('No keys yet. They are created in the background.')
      const row = context.answer.list()
      for (const { selector, algorithm, state, since, visibleSince } of keys) {
        const isShown = state === 'retired' ? '' : `  ${visibleInWords(visibleSince)}`
        const line = `${selector}  ${algorithm}  ${state} since ${dayOf(since)}${isShown}`
        row({ selector, algorithm, state, since, visibleSince }, line)
      }
    },
  },
  {
    name: 'dkim:rotate',
    usage: 'dkim:rotate <domain> [reason]',
    summary: 'create new DKIM keys for a domain, which sign once they are published',
    needs: 1,
    async run(context) {
      const domain = await requireDomain(context)
      const reason = context.args.slice(1).join(' ') || atCommandLine.comment
      const isNew = await new DkimKeys(context).rotate(domain.id, atCommandLine.actor, reason)
      if (!isNew) throw new CommandFailed('New keys are waiting to be published already. See dkim:zone.')
      context.print('Publish these records. The old keys sign until the new ones are visible.')
      await printZone(context, domain, ({ state }) => state === 'published')
    },
  },
  {
    name: 'dkim:zone',
    usage: 'dkim:zone <domain>',
    summary: 'print the DKIM records of a domain as lines of a zone file',
    needs: 1,
    run: async (context) => printZone(context, await requireDomain(context), () => true),
  },
]

async function requireDomain({ args: [name = ''], config, db }: Context): Promise<KeyDomain> {
  if (config.mailSetup.dkim !== null) {
    throw new CommandFailed(
      'MAIL_DKIM is set: all domains share its key, and your mail servers sign with it.',
    )
  }
  const domain = await findKeyDomain(db, normaliseDomain(name) ?? name)
  if (domain === undefined) throw new CommandFailed(`There is no domain ${name}.`)
  return domain
}

async function printZone(
  { db, answer }: Context,
  { id, namespace }: KeyDomain,
  isMeant: (key: { readonly state: string }) => boolean,
): Promise<void> {
  const row = answer.list()
  for (const key of publishedKeys(await readKeys(db, [id])).filter(isMeant)) {
    const { name, strings } = keyRecord(namespace, key.selector, key)
    const line = `${name}. 3600 IN TXT ${zoneFileText(strings)}`
    row({ name, type: 'TXT', value: strings.join('') }, line)
  }
}

function visibleInWords(visibleSince: Date | null): string {
  return visibleSince === null ? 'not found in the DNS' : `visible since ${dayOf(visibleSince)}`
}
