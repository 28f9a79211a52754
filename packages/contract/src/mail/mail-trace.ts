import { z } from 'zod'
import { objectIdParams } from '../directory/users.ts'
import { wireDate } from '../envelope.ts'
import { moment } from '../events.ts'
import { borrowedCallers, defineRoutes } from '../route.ts'
import { mailDirections, mailOutcomes } from './mail-outcomes.ts'
import { mailActions } from './mail-reasons.ts'

/** What a decision was based on, as far as it explains the decision. Times are in seconds. */
export const mailFacts = z.object({
  /** How long a first message has to wait, or how long an answer was delayed. */
  delay: z.number().optional(),
  /** How long the sender has waited. */
  waited: z.number().optional(),
  /** Messages or recipients of the period, this message included, and how many are allowed. */
  used: z.number().optional(),
  most: z.number().optional(),
  /** The host or network that an exception accepts. */
  exception: z.string().optional(),
  /** The entry of a list of senders that applied. */
  entry: z.string().optional(),
  /** The address that isn't allowed. */
  refused: z.string().optional(),
  /** What the mail server answered: codes and text. */
  response: z.string().optional(),
  /** The domain that was verified, and how: SPF, DKIM, DMARC, sign-in. */
  verifiedDomain: z.string().optional(),
  verifiedBy: z.enum(['sasl', 'local', 'spf', 'dkim', 'dmarc']).optional(),
})

export type MailFacts = z.infer<typeof mailFacts>

const decisionStep = z.object({
  kind: z.literal('decision'),
  at: wireDate,
  /** Null: the whole message. */
  recipient: z.string().nullable(),
  policy: z.string(),
  /** A name of `mailReasons`; newer servers may send others. */
  reason: z.string(),
  /** Code at the end of replies, such as `G1`. */
  code: z.string().nullable(),
  action: z.enum(mailActions),
  /** IP address of the sending server or program. */
  client: z.string().nullable(),
  facts: mailFacts,
})

/** What a mail server logs about a message. */
export const mailEvents = [
  'received',
  'queued',
  'sent',
  'deferred',
  'bounced',
  'expired',
  'notified',
  'held',
  'released',
  'removed',
] as const

export type MailEvent = (typeof mailEvents)[number]

const logStep = z.object({
  kind: z.literal('log'),
  at: wireDate,
  recipient: z.string().nullable(),
  event: z.enum(mailEvents),
  /** Name of the mail server that logged it. */
  server: z.string(),
  client: z.string().nullable(),
  /** Where the message was sent, such as `mx.example.com[192.0.2.1]:25`. */
  relay: z.string().nullable(),
  /** Enhanced status code, such as `4.7.1`. */
  status: z.string().nullable(),
  /** Answer of the other server. */
  response: z.string().nullable(),
  /** Bytes. */
  size: z.number().int().nullable(),
})

export const mailStep = z.discriminatedUnion('kind', [decisionStep, logStep])

export type MailStep = z.infer<typeof mailStep>
export type MailDecisionStep = z.infer<typeof decisionStep>
export type MailLogStep = z.infer<typeof logStep>

export const tracedMessage = z.object({
  id: z.uuid(),
  direction: z.enum(mailDirections),
  /** Envelope sender; empty for bounces. `~hash@domain` if the installation hides the addresses of others. */
  sender: z.string(),
  recipients: z.array(z.string()),
  outcome: z.enum(mailOutcomes),
  /** Times of the first and the latest step. */
  firstAt: wireDate,
  lastAt: wireDate,
  messageId: z.string().nullable(),
  queueIds: z.array(z.string()),
  /** Oldest first. */
  steps: z.array(mailStep),
})

export type TracedMessage = z.infer<typeof tracedMessage>

const traceQuery = z.object({
  /** Address of the sender or a recipient, or part of it. */
  person: z.string().max(320).nullish(),
  direction: z.enum(mailDirections).nullish(),
  outcome: z.enum(mailOutcomes).nullish(),
  from: moment,
  /** A date includes the whole day. */
  to: moment,
  /** `next` of the previous page. */
  after: z
    .string()
    .max(60)
    .regex(/^\d{1,15}_[0-9a-f-]{36}$/)
    .nullish(),
  /** Page size; defaults to 20. */
  size: z.coerce.number<string | number>().int().min(1).max(100).nullish(),
})

/** A page of messages. With filters it may have fewer messages than asked for although there are more. */
const tracedPage = z.object({ list: z.array(tracedMessage), next: z.string().nullable() })

export const mailTraceRoutes = defineRoutes({
  'GET /api/v4/mail/messages': {
    summary:
      'List own mail and that of the accounts the caller owns or controls with its steps, newest first',
    tag: 'Mail',
    auth: 'token',
    openTo: borrowedCallers,
    hosts: ['user'],
    query: traceQuery,
    ok: tracedPage,
    errors: [401, 403, 404, 422],
  },
  'GET /api/v4/users/{id}/mail': {
    summary: "List a user's mail and that of the accounts the user owns with its steps, newest first",
    tag: 'Mail',
    auth: 'token',
    openTo: [],
    hosts: ['admin', 'reseller'],
    params: objectIdParams,
    query: traceQuery,
    ok: tracedPage,
    errors: [401, 403, 404, 422],
  },
})
