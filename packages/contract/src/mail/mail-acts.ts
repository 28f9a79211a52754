import { z } from 'zod'
import { objectId } from '../directory/users.ts'
import { successEnvelope, wireDate } from '../envelope.ts'
import { defineRoutes } from '../route.ts'

const address = z.string().min(3).max(320)

/** A sender and the mailbox that gets the mail. */
const correspondence = z.object({ recipient: address, sender: address })

/** A message that the mail server holds until the account's owner decides. */
export const heldMessage = z.object({
  id: z.uuid(),
  /** Who sent it; null: an address that belongs to no user. */
  userId: objectId.nullable(),
  sender: z.string(),
  /** The first ones, and the number of all. */
  recipients: z.array(z.string()),
  recipientCount: z.number().int(),
  /** A name of `mailReasons`. */
  reason: z.string(),
  heldAt: wireDate,
})

export type HeldMessage = z.infer<typeof heldMessage>

const heldParams = z.object({ id: z.string().max(36) })

const act = { tag: 'Mail', auth: 'token', openTo: [], hosts: ['user'] } as const

export const mailActRoutes = defineRoutes({
  'POST /api/v4/mail/let-through': {
    ...act,
    summary: "Accept the next attempt of a sender whose mail to a user's mailbox is delayed",
    body: correspondence,
    ok: successEnvelope,
    errors: [401, 403, 404, 422],
  },
  'GET /api/v4/mail/allowed-senders': {
    ...act,
    summary: "List the senders whose mail to the caller's mailbox is never delayed, in alphabetical order",
    /** Addresses, domains, and suffixes with a leading dot. */
    ok: z.object({ list: z.array(z.string()) }),
    errors: [401, 403, 404],
  },
  'POST /api/v4/mail/allowed-senders': {
    ...act,
    summary: "Never delay mail of a sender to a user's mailbox",
    body: correspondence,
    ok: successEnvelope,
    errors: [401, 403, 404, 422],
  },
  'POST /api/v4/mail/allowed-senders/remove': {
    ...act,
    summary: "Delay mail of a sender to a user's mailbox like that of others again",
    body: correspondence,
    ok: successEnvelope,
    errors: [401, 403, 404, 422],
  },
  'GET /api/v4/mail/held': {
    ...act,
    summary: 'List the held messages of the account that the caller owns or controls, oldest first',
    ok: z.object({ list: z.array(heldMessage) }),
    errors: [401, 403, 404],
  },
  'POST /api/v4/mail/held/{id}/release': {
    ...act,
    summary: 'Send a held message',
    params: heldParams,
    ok: successEnvelope,
    errors: [401, 403, 404],
  },
  'POST /api/v4/mail/held/{id}/discard': {
    ...act,
    summary: 'Delete a held message without sending it',
    params: heldParams,
    ok: successEnvelope,
    errors: [401, 403, 404],
  },
})
