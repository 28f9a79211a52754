import { type Command, CommandFailed } from '../../platform/cli/command.ts'
import { wireDate } from '../../platform/clock.ts'
import { createTranslator } from '../../platform/i18n/translator.ts'
import type { SiteConfig } from '../../platform/settings/site-settings.ts'
import { type AskHealth, readHealth } from './health.ts'
import { listMails } from './mail-store.ts'

/** Commands about the state of the installation. */
export const operationsCommands: readonly Command<
  Pick<SiteConfig, 'build'>,
  { readonly askHealth: AskHealth }
>[] = [
  {
    name: 'mail:list',
    usage: 'mail:list [part of an address or subject]',
    summary: 'list sent and failed mails, newest first',
    needs: 0,
    async run({ args, db, answer }) {
      const row = answer.list()
      for (const mail of await listMails(db, { search: args[0] }, { limit: 100, offset: 0 })) {
        const { createdAt: at, outcome, name, recipients, error } = mail
        const line = `${wireDate(at)}  ${outcome}  ${name}  ${recipients.join(', ')}  ${error ?? ''}`.trim()
        row({ createdAt: at, outcome, name, recipients, error }, line)
      }
    },
  },
  {
    name: 'health:show',
    usage: 'health:show',
    summary: 'show the recorded health of each component; fails if one is down',
    needs: 0,
    async run(context) {
      const { state, parts } = await readHealth(context, createTranslator('en'))
      const lines = parts.map(({ name, state: one, facts }) => {
        const said = Object.entries(facts).map(([fact, value]) => `${fact} ${value}`)
        return `${name}  ${one}  ${said.join(', ')}`
      })
      context.answer.record({ state, parts }, lines)
      if (state === 'down') throw new CommandFailed('A component is down.')
    },
  },
]
