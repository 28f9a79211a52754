import { canonicalAddress } from '@gatehouse/contract/canonical-address'
import { moment, utc } from '@gatehouse/contract/events'
import {
  atCommandLine,
  type Command,
  type CommandContext,
  CommandFailed,
  UsageError,
} from '../platform/cli/command.ts'
import { NotFound } from '../platform/http/errors.ts'
import { listByOwner } from './webhook-store.ts'
import { pauseWebhook, replayWebhook, resumeWebhook } from './webhooks.ts'

/** Commands for webhooks of customers. */
export const webhookCommands: readonly Command[] = [
  {
    name: 'webhook:list',
    usage: 'webhook:list <account>',
    summary: "list the webhooks of an account, by its owner's address",
    needs: 1,
    async run({ args: [address = ''], db, print, answer }) {
      const rows = await listByOwner(db, canonicalAddress(address))
      const row = answer.list()
      if (rows.length === 0) print('No webhooks.')
      for (const { id, name, url, pauseReason, pending } of rows) {
        const state = pauseReason === null ? 'active' : `paused (${pauseReason})`
        const { host } = new URL(url)
        row({ id, name, host, pauseReason, pending }, `${id}  ${state}  ${pending} pending  ${name}  ${host}`)
      }
    },
  },
  {
    name: 'webhook:pause',
    usage: 'webhook:pause <id>',
    summary: 'pause a webhook; its events are kept',
    needs: 1,
    run: (context) => act(context, (id) => pauseWebhook(context, undefined, id, 'operator', atCommandLine)),
  },
  {
    name: 'webhook:resume',
    usage: 'webhook:resume <id>',
    summary: 'resume a webhook where it stopped',
    needs: 1,
    run: (context) => act(context, (id) => resumeWebhook(context, undefined, id, atCommandLine)),
  },
  {
    name: 'webhook:replay',
    usage: 'webhook:replay <id> <date>',
    summary: 'deliver all events of a webhook since a date (UTC) again',
    needs: 2,
    run(context) {
      const from = moment.safeParse(context.args[1])
      if (from.data == null) throw new UsageError('The date must be like 2026-03-10 or 2026-03-10T12:00:00Z.')
      const replay = { from: new Date(utc(from.data)) }
      return act(context, (id) => replayWebhook(context, undefined, { ...replay, id }, atCommandLine))
    },
  },
]

async function act(
  { args: [id = ''], print }: CommandContext,
  work: (id: string) => Promise<void>,
): Promise<void> {
  try {
    await work(id)
  } catch (error) {
    if (!(error instanceof NotFound)) throw error
    throw new CommandFailed(`There is no webhook ${id}.`)
  }
  print('Done.')
}
