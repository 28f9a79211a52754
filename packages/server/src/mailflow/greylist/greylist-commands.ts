import { atCommandLine, type Command, UsageError } from '../../platform/cli/command.ts'
import { said } from '../../platform/cli/said.ts'
import { after, wireDate } from '../../platform/clock.ts'
import { NotFound } from '../../platform/http/errors.ts'
import { findUser } from '../../users/commands/find-user.ts'
import { envelopeAddress } from '../arrival.ts'
import { findRecipient } from '../recipients/recipient-store.ts'
import { allowSender, removeAllowedSender } from './allowed-senders.ts'
import { contactsOf, readHistory } from './greylist-store.ts'
import { letThrough } from './let-through.ts'
import { hasGreylisting, historyQuery } from './recipient-query.ts'
import { senderKey } from './sender-key.ts'

const showCommand: Command = {
  name: 'greylist:show',
  usage: 'greylist:show <recipient> <sender>',
  summary: 'show what greylisting knows about a sender and a recipient',
  needs: 2,
  async run({ args: [address = '', from = ''], db, print }) {
    const recipient = await findRecipient(db, envelopeAddress(address))
    if (recipient === undefined) throw new UsageError(`Nobody here has the address ${address}.`)
    const sender = envelopeAddress(from)
    const { local, domain } = senderKey(sender)
    const key = {
      ...{ recipientKind: recipient.kind, recipientId: recipient.id },
      ...{ senderLocal: local, senderDomain: domain, network: '' },
    }
    const { history, allowedSenders } = await readHistory(db, historyQuery(key, sender, 0))
    print(`${recipient.email} (${recipient.kind}): greylisting ${hasGreylisting(recipient) ? 'on' : 'off'}`)
    for (const entry of allowedSenders) print(`  always allowed by ${entry}`)
    if (history.letThroughAt !== null) print(`  let through at ${time(history.letThroughAt)}`)
    if (history.correspondentSince !== null)
      print(`  correspondent since ${time(history.correspondentSince)}`)
    if (history.oneTimeCodes !== null)
      print(`  one-time codes from ${domain} since ${time(history.oneTimeCodes.since)}`)
    for (const { network, firstSeen, lastSeen, attempts, passedAt } of await contactsOf(db, key)) {
      const passed = passedAt === null ? 'not accepted yet' : `accepted since ${time(passedAt)}`
      print(`  ${network}: ${passed}, first ${time(firstSeen)}, last ${time(lastSeen)}, ${attempts} attempts`)
      const { knownServer } = (await readHistory(db, historyQuery({ ...key, network }, sender, 0))).history
      if (knownServer !== null) print(`  ${network}: known for ${domain} since ${time(knownServer.since)}`)
    }
  },
}

const letThroughCommand: Command = {
  name: 'mail:let-through',
  usage: 'mail:let-through <recipient> <sender>',
  summary: 'accept the next attempt of a sender that greylisting delays',
  needs: 2,
  async run({ args: [recipient = '', sender = ''], db, clock, print }) {
    const found = await letThrough({ db, clock }, { recipient, sender }, atCommandLine).catch(
      saidOr(`Nobody here has the address ${recipient}.`),
    )
    print(`${found.email}: the next message of ${envelopeAddress(sender) || 'the null sender'} is accepted`)
  },
}

const allowCommand: Command = {
  name: 'mail:allow-sender',
  usage: 'mail:allow-sender <address> <sender|domain|.suffix>',
  summary: 'never delay mail of a sender to a user',
  needs: 2,
  async run({ args: [address, sender = ''], db, clock, print }) {
    const user = await findUser(db, address)
    const entry = await allowSender({ db, clock }, user, sender, atCommandLine).catch(said)
    print(`${user.email}: ${entry} allowed`)
  },
}

const removeCommand: Command = {
  name: 'mail:remove-allowed-sender',
  usage: 'mail:remove-allowed-sender <address> <sender|domain|.suffix>',
  summary: 'remove a sender that mail:allow-sender added',
  needs: 2,
  async run({ args: [address, sender = ''], db, clock, print }) {
    const user = await findUser(db, address)
    await removeAllowedSender({ db, clock }, user, sender, atCommandLine).catch(
      saidOr(`${sender} is not an allowed sender of ${user.email}.`),
    )
    print(`${user.email}: ${sender} removed`)
  },
}

/** Commands about greylisting. */
export const greylistCommands: readonly Command[] = [
  showCommand,
  letThroughCommand,
  allowCommand,
  removeCommand,
]

/** Rethrows an error as its message; `missing` replaces that of NotFound, which names nothing. */
function saidOr(missing: string): (error: unknown) => never {
  return (error) => {
    if (error instanceof NotFound) throw new UsageError(missing)
    return said(error)
  }
}

/** Whole seconds since 1970 as a date. */
function time(seconds: number): string {
  return wireDate(after(new Date(0), seconds))
}
