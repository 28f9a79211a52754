import { readDomainByName } from '../../directory/domains/domain-store.ts'
import { atCommandLine, type Command, CommandFailed, UsageError } from '../../platform/cli/command.ts'
import { wireDate } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import { isUuid } from '../../platform/ids.ts'
import { normaliseDomain } from '../../users/addresses/domain-name.ts'
import { findView } from '../../users/commands/find-user.ts'
import { listHeld, releaseHeld } from '../held-mail/held-mail.ts'
import type { HeldMessage } from '../held-mail/held-mail-store.ts'
import { type Reason, reasons } from '../reasons.ts'
import { readExemptions } from './exemption-store.ts'
import { endExemption, exempt } from './exemptions.ts'

const exemptionCommand = (
  name: 'exempt' | 'unexempt',
  summary: string,
  change: typeof exempt,
  unchanged: string,
): Command => ({
  name: `ratelimit:${name}`,
  usage: `ratelimit:${name} <address or domain>`,
  summary,
  needs: 1,
  async run(context) {
    const [text = ''] = context.args
    const subject = text.includes('@') ? await readUser(context, text) : await readDomain(context.db, text)
    if (!(await change(context, subject, atCommandLine)))
      throw new CommandFailed(`${subject.name} ${unchanged}.`)
    context.print(`${subject.name}: ${name}`)
  },
})

async function readUser(context: Parameters<typeof findView>[0], text: string) {
  const { user } = await findView(context, text)
  if (user.deletedAt !== null) throw new UsageError(`There is no user ${text}.`)
  return { kind: 'user', id: user.id, tenantId: user.tenantId, name: user.email } as const
}

async function readDomain(db: Db, text: string) {
  const namespace = normaliseDomain(text)
  const domain = namespace === undefined ? undefined : await readDomainByName(db, namespace)
  if (domain === undefined || domain.deletedAt !== null) throw new UsageError(`There is no domain ${text}.`)
  return { kind: 'domain', id: domain.id, tenantId: domain.tenantId, name: domain.namespace } as const
}

/** Rate limits and held mail. */
export const rateCommands: readonly Command[] = [
  exemptionCommand(
    'exempt',
    'let a user or a domain send without limits',
    exempt,
    'already sends without limits',
  ),
  exemptionCommand(
    'unexempt',
    'limit the sending of a user or a domain again',
    endExemption,
    'has no exemption',
  ),
  {
    name: 'ratelimit:exemptions',
    usage: 'ratelimit:exemptions',
    summary: 'list the users and domains that send without limits',
    needs: 0,
    async run({ db, print, answer }) {
      const row = answer.list()
      const rows = await readExemptions(db)
      for (const { email, domain, createdAt } of rows)
        row({ email, domain, createdAt }, `${email ?? domain}  since ${wireDate(createdAt)}`)
      if (rows.length === 0) print('No user or domain sends without limits.')
    },
  },
  {
    name: 'mail:held',
    usage: 'mail:held [<address of a user of the account>]',
    summary: 'list outgoing mail that is held, oldest first',
    needs: 0,
    async run(context) {
      const [address] = context.args
      const walletId = address === undefined ? undefined : (await findView(context, address)).user.walletId
      const held = await listHeld(context, walletId ?? undefined)
      const row = context.answer.list()
      for (const message of held) {
        const { id, heldAt, sender, recipients, recipientCount, reason, queueId } = message
        row({ id, heldAt, sender, recipients, recipientCount, reason, queueId }, lineOf(message))
      }
      if (held.length === 0) context.print('No mail is held.')
    },
  },
  {
    name: 'mail:release',
    usage: 'mail:release <id>',
    summary: 'release a held message, by the id that mail:held shows',
    needs: 1,
    async run({ args, db, clock, print }) {
      const [id = ''] = args
      if (!isUuid(id)) throw new UsageError(`${id} is not an id.`)
      if (!(await releaseHeld({ db, clock }, id, atCommandLine)))
        throw new CommandFailed(`There is no held message ${id}, or it was already released or discarded.`)
      print(`${id}: released`)
    },
  },
]

function lineOf({ id, heldAt, sender, recipients, recipientCount, reason, queueId }: HeldMessage): string {
  const more = recipientCount - 1
  const to = `${recipients[0] ?? 'no recipient'}${more > 0 ? ` and ${more} more` : ''}`
  // stored names are those of the table, and may be older than it
  const code = reasons[reason as Reason]?.code
  const why = code === undefined ? reason : `${code} ${reason}`
  return `${id}  ${wireDate(heldAt)}  ${sender} → ${to}  ${why}  queue id ${queueId ?? 'unknown'}`
}
