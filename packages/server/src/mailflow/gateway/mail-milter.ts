import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import type { DnsClient } from '../../platform/dns/dns-client.ts'
import type { Decision } from '../decision.ts'
import { decodeEncodedWords } from '../external-sender/encoded-words.ts'
import type { ExternalMark } from '../external-sender/external-mark.ts'
import { markSubject } from '../external-sender/mark-subject.ts'
import { mailboxAddresses } from '../message/mailbox-addresses.ts'
import { collectBody } from '../protocols/milter/message-body.ts'
import { headerSection } from '../protocols/milter/message-headers.ts'
import type { MilterAnswer, MilterEdit, MilterVerdict } from '../protocols/milter/milter-answer.ts'
import type { MilterEnvelope, MilterHandler, MilterMessage } from '../protocols/milter/milter-handler.ts'
import { actionOf, replyOf } from '../reasons.ts'
import { findRecipient } from '../recipients/recipient-store.ts'
import type { AuthorPolicy } from '../sender-authentication/author-policy.ts'
import { fieldValue, type HeaderField, splitMessage } from '../sender-authentication/message-header.ts'
import { authenticationResults, removeForgedResults } from '../sender-authentication/result-fields.ts'
import { checkSender } from '../sender-authentication/sender-check.ts'
import type { SenderResults } from '../sender-authentication/sender-results.ts'
import type { SpfCheck, SpfQuery } from '../sender-authentication/spf-check.ts'
import { type PolicyGuard, PolicyUnavailable, withoutCodes } from './policy-answers.ts'
import type { DkimSigners, GatewayPolicies } from './services.ts'

export interface MilterParts {
  readonly db: Db
  readonly dns: DnsClient
  readonly clock: Clock
  readonly spf: Pick<SpfCheck, 'check'>
  readonly policies: GatewayPolicies
  /** Absent: a later filter marks mail, for each recipient. */
  readonly externalMark?: Pick<ExternalMark, 'decide'>
  readonly authors: Pick<AuthorPolicy, 'decide'>
  readonly signers: DkimSigners
  readonly guard: PolicyGuard
  /** Name in `Authentication-Results`; undefined: the field is neither added nor removed. */
  readonly serverId: string | undefined
}

/** Bytes of a body that is held in memory to be hashed. Signatures of larger messages are neither checked nor made. */
const mostBytes = 50 * 1024 * 1024
/** Look-ups of a check; the mail server waits for it. */
const limits = { time: 8000, questions: 60 }
/** Recipients of one message whose settings are looked up. */
const mostRecipients = 500
/** Recipients whose lists are looked up together. */
const mostAtOnce = 100

const carryOn: MilterAnswer = { verdict: 'continue' }

/** A message as the handlers below see it. */
interface WholeMessage {
  readonly envelope: MilterEnvelope
  readonly sender: string
  readonly fields: readonly HeaderField[]
  /** Undefined: too large. */
  readonly bytes: Buffer | undefined
  readonly queueId: string | null
  readonly messageId: string | null
}

/**
 * Checks who sent mail that comes in, marks external senders, and signs mail of own users. A message has one text for all
 * its recipients, so it's marked as soon as one of them wants that.
 */
export class MailMilter implements MilterHandler {
  readonly #parts: MilterParts

  constructor(parts: MilterParts) {
    this.#parts = parts
  }

  async message(received: MilterMessage): Promise<MilterAnswer> {
    try {
      const message = await wholeMessage(received)
      const user = message.envelope.macros.get('auth_authen') ?? ''
      return user === '' ? await this.#incoming(message) : await this.#outgoing(message, user)
    } catch (error) {
      if (error instanceof PolicyUnavailable) return tempfail
      throw error
    }
  }

  /** The verdict if there's no time to ask. */
  fallback(): MilterVerdict {
    return this.#parts.guard.isOpen('sender', 'list', 'external', 'submission')
      ? { verdict: 'continue' }
      : tempfail
  }

  async #incoming(message: WholeMessage): Promise<MilterAnswer> {
    const { guard, serverId } = this.#parts
    const query = queryOf(message)
    const results = await guard.ask('sender', () => this.#check(message, query))
    const refused =
      (results && (await this.#forgedAuthor(message, results))) ?? (await this.#closedList(message, results))
    if (refused !== undefined) return refused
    await guard.ask('greylist', () => this.#learn(message, results)).catch(() => undefined)
    const isMarked = await guard.ask('external', () => this.#isMarked(message, results))
    const edits: MilterEdit[] = serverId === undefined ? [] : removeForgedResults(message.fields, serverId)
    if (isMarked === true) edits.push(...markSubject(message.fields.filter(isSubject).map(rawValue)))
    if (serverId !== undefined && results !== undefined && message.bytes !== undefined) {
      edits.push(insertion(authenticationResults(results, query, serverId)))
    }
    return { verdict: 'continue', edits }
  }

  /** Senders of one-time codes skip greylisting next time. The message itself doesn't depend on it. */
  async #learn({ sender, fields }: WholeMessage, results: SenderResults | undefined): Promise<void> {
    const domain = results?.alignedDomain ?? null
    const subject = fields.find(isSubject)
    if (domain === null || subject === undefined) return
    await this.#parts.policies.greylist.learn({
      ...{ sender, subject: decodeEncodedWords(fieldValue(subject)) },
      authentication: { method: 'dmarc', domain },
    })
  }

  #check({ bytes }: WholeMessage, query: SpfQuery): Promise<SenderResults> {
    return checkSender(bytes ?? Buffer.alloc(0), query, { ...this.#parts, limits })
  }

  /**
   * Refuses a message whose author nothing proves although the author's domain asks for it. One recipient decides for all:
   * senders that are refused for one are hardly wanted by the others.
   */
  async #forgedAuthor(message: WholeMessage, results: SenderResults): Promise<MilterAnswer | undefined> {
    const { sender, queueId, messageId } = message
    const [first] = message.envelope.recipients
    const { clientAddress, helo } = queryOf(message)
    const name = message.envelope.macros.get('client_name') ?? ''
    const arrival = {
      ...{ clientAddress, helo, sender, queueId, recipient: first?.address ?? '' },
      clientName: name === '' || name === 'unknown' ? null : name,
    }
    const { guard, authors } = this.#parts
    const decision = await guard.ask('sender', () => authors.decide(arrival, { results, messageId }))
    return decision && refusal(decision)
  }

  /** Lists that could not be decided by SPF alone. */
  async #closedList(
    message: WholeMessage,
    results: SenderResults | undefined,
  ): Promise<MilterAnswer | undefined> {
    const { guard, policies } = this.#parts
    // decided when the recipient was named
    if (results?.spf.result === 'pass') return undefined
    const domain = results?.alignedDomain ?? null
    const authentication = domain === null ? null : ({ method: 'dmarc', domain } as const)
    const { sender, queueId } = message
    const { clientAddress, helo } = queryOf(message)
    const { recipients } = message.envelope
    for (let at = 0; at < recipients.length; at += mostAtOnce) {
      const decisions = await Promise.all(
        recipients.slice(at, at + mostAtOnce).map(({ address: recipient }) => {
          const arrival = { clientAddress, clientName: null, helo, sender, recipient, queueId }
          return guard.ask('list', () => policies.lists.decide({ ...arrival, authentication }))
        }),
      )
      const refused = decisions.map((decision) => decision && refusal(decision)).find(Boolean)
      if (refused !== undefined) return refused
    }
    return undefined
  }

  async #isMarked(message: WholeMessage, results: SenderResults | undefined): Promise<boolean> {
    const { externalMark } = this.#parts
    if (externalMark === undefined) return false
    const domain = results?.alignedDomain ?? null
    const { sender, queueId, messageId } = message
    let isMarked = false
    for (const { address: recipient } of message.envelope.recipients.slice(0, mostRecipients)) {
      const user = await findRecipient(this.#parts.db, recipient)
      if (user?.kind !== 'user') continue
      const decision = externalMark.decide(user, {
        ...{ sender, recipient, queueId, messageId, author: results?.from ?? null },
        authentication: domain === null ? null : { method: 'dmarc', domain },
        clientAddress: queryOf(message).clientAddress,
      })
      if (decision?.reason === 'external.marked') isMarked = true
    }
    return isMarked
  }

  async #outgoing(message: WholeMessage, user: string): Promise<MilterAnswer> {
    const { guard, policies, serverId } = this.#parts
    const authors = message.fields
      .filter(({ name }) => name === 'from')
      .flatMap((field) => mailboxAddresses(fieldValue(field)))
    const { submission } = policies
    const { sender, queueId } = message
    const { clientAddress } = queryOf(message)
    const decision =
      submission &&
      (await guard.ask('submission', () =>
        submission.decide({ user, sender, authors, clientAddress, queueId }),
      ))
    const refused = decision && refusal(decision)
    if (refused !== undefined) return refused
    const edits: MilterEdit[] = serverId === undefined ? [] : removeForgedResults(message.fields, serverId)
    const [author] = authors
    const signatures = author === undefined ? [] : await this.#sign(message, author)
    // from the last to the first, each at the top
    edits.push(...signatures.toReversed().map(insertion))
    // for the mail filter, which meets the message when it's delivered; not the login, which may be secret
    if (decision !== undefined && serverId !== undefined && sender !== '') {
      edits.push(
        insertion(`Authentication-Results: ${serverId}; auth=pass smtp.mailfrom="${quoted(sender)}"`),
      )
    }
    return edits.length === 0 ? carryOn : { verdict: 'continue', edits }
  }

  async #sign({ bytes }: WholeMessage, author: string): Promise<readonly string[]> {
    if (bytes === undefined) return []
    const signer = await this.#parts.signers.signerFor(author.slice(author.lastIndexOf('@') + 1))
    return signer === undefined ? [] : signer(bytes)
  }
}

const tempfail = { verdict: 'tempfail', reply: '451 4.3.0 Mail policy unavailable, try again later' } as const

function refusal({ reason }: Decision): MilterAnswer | undefined {
  const action = actionOf(reason)
  const reply = replyOf(reason)
  if (action === 'accept') return undefined
  if (action === 'discard') return { verdict: 'discard' }
  if (action === 'hold') return { verdict: 'continue', quarantine: withoutCodes(reply ?? reason) }
  return { verdict: action === 'reject' ? 'reject' : 'tempfail', ...(reply !== undefined && { reply }) }
}

async function wholeMessage({ envelope, headers, body }: MilterMessage): Promise<WholeMessage> {
  const head = headerSection(headers)
  const content = await collectBody(body, mostBytes, async () => undefined)
  const { fields } = splitMessage(head)
  const messageId = fields.find(({ name }) => name === 'message-id')
  return {
    envelope,
    sender: envelope.sender.address,
    fields,
    bytes: content === undefined ? undefined : Buffer.concat([head, content]),
    queueId: envelope.macros.get('i') ?? null,
    messageId: messageId === undefined ? null : fieldValue(messageId).slice(0, 998),
  }
}

function queryOf({ envelope: { connection, sender } }: WholeMessage): SpfQuery {
  const { client, helo = '' } = connection
  return { clientAddress: client?.address ?? '', helo, sender: sender.address }
}

const isSubject = ({ name }: HeaderField) => name === 'subject'

/** The value with its folding, read as UTF-8. */
function rawValue({ line }: HeaderField): string {
  const value = line.slice(line.indexOf(':') + 1).replaceAll('\r\n', '\n')
  return Buffer.from(value, 'latin1').toString('utf8').replace(/^ /, '')
}

function insertion(field: string): MilterEdit {
  const colon = field.indexOf(':')
  const value = field
    .slice(colon + 1)
    .replaceAll('\r\n', '\n')
    .trimStart()
  return { edit: 'insert-header', index: 0, name: field.slice(0, colon), value }
}

function quoted(text: string): string {
  return text.replace(/[^\x20-\x7e]/g, '?').replace(/["\\]/g, '\\$&')
}
