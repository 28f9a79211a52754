/** What the mail server does with a message: deliver it, ask the sender to retry, keep it back, refuse or drop it. */
export type Action = 'accept' | 'defer' | 'hold' | 'reject' | 'discard'

interface ReasonRow {
  readonly action: Action
  /** Short code at the end of refusal texts; people look it up on the page "Where is my mail?". Never reused. */
  readonly code: string
  /** SMTP reply code, enhanced status code (RFC 3463) and text for the sending server; only if the mail isn't accepted. */
  readonly reply?: readonly [code: number, status: string, text: string]
}

/** Every reason for a decision. Names are stored with decisions and are keys of texts: they never change. */
export const reasons = {
  // Greylisting
  'greylist.first-contact': deferral('G1', 'Greylisted, please try again in a few minutes'),
  'greylist.too-early': deferral('G2', 'Greylisted, please try again in a few minutes'),
  'greylist.waited': accepted('G3'),
  'greylist.known-correspondent': accepted('G4'),
  'greylist.authenticated-sender': accepted('G5'),
  'greylist.one-time-codes': accepted('G6'),
  'greylist.known-server': accepted('G7'),
  'greylist.off': accepted('G8'),
  'greylist.allowed-by-recipient': accepted('G9'),
  'greylist.let-through': accepted('G10'),
  'greylist.unknown-recipient': accepted('G11'),

  // Authentication of the sender's domain
  'sender.verified': accepted('S1'),
  'sender.unverified': accepted('S2'),
  'sender.spf-failed': refusal('S3', 550, '5.7.23', 'SPF check failed'),
  'sender.spf-exception': accepted('S4'),
  'sender.dmarc-failed': refusal('S5', 550, '5.7.1', 'DMARC check failed'),
  'sender.dmarc-quarantine': accepted('S6'),
  'sender.lookup-failed': accepted('S7'),

  // Submission by own users
  'submission.own-address': accepted('M1'),
  'submission.alias': accepted('M2'),
  'submission.delegate': accepted('M3'),
  'submission.list': accepted('M4'),
  'submission.shared-folder': accepted('M5'),
  'submission.invalid-sender': refusal('M6', 553, '5.1.7', 'Invalid sender address'),
  'submission.unknown-user': refusal('M7', 550, '5.7.1', 'Unknown user'),
  'submission.not-allowed': refusal('M8', 553, '5.7.1', 'Sender address not allowed for this user'),
  'submission.suspended': refusal('M9', 550, '5.7.1', 'Account suspended'),
  'submission.service-user': accepted('M10'),

  // Rate limits
  'rate.within-limits': accepted('R1'),
  'rate.exempt': accepted('R2'),
  'rate.external-sender': accepted('R3'),
  'rate.near-limit': accepted('R4'),
  'rate.messages-per-hour': held('R5', 'Hourly limit of messages reached, held for review'),
  'rate.recipients-per-hour': held('R6', 'Hourly limit of recipients reached, held for review'),
  'rate.messages-per-day': held('R7', 'Daily limit of messages reached, held for review'),
  'rate.recipients-per-day': held('R8', 'Daily limit of recipients reached, held for review'),
  'rate.suspected-takeover': held('R9', 'Unusual sending, held until the account owner confirms it'),
  'rate.invalid-sender': held('R10', 'Invalid sender address'),
  'rate.suspended': held('R11', 'Account suspended'),
  'rate.degraded': held('R12', 'Account degraded'),
  /** Unusual sending that isn't suspicious enough to be held: the answer is delayed. */
  'rate.slowed': accepted('R13'),

  // Who may send to a distribution list
  'list.anyone': accepted('L1'),
  'list.own-account': accepted('L2'),
  'list.member': accepted('L3'),
  'list.chosen-sender': accepted('L4'),
  'list.not-allowed': refusal('L5', 550, '5.7.1', 'You are not allowed to send to this distribution list'),
  'list.unverified-sender': refusal('L6', 550, '5.7.1', 'The sender could not be verified'),
  'list.suspended': refusal('L7', 550, '5.2.1', 'Distribution list suspended'),

  // External senders
  'external.marked': accepted('X1'),
  'external.own-account': accepted('X2'),
  'external.trusted-domain': accepted('X3'),
  'external.off': accepted('X4'),
  'external.no-sender': accepted('X5'),

  // Calendar invitations
  'invitation.added': accepted('I1'),
  'invitation.updated': accepted('I2'),
  'invitation.cancelled': dropped('I3'),
  'invitation.answered': dropped('I4'),
  'invitation.untouched': accepted('I5'),
  'invitation.unverified': accepted('I6'),
  'invitation.off': accepted('I7'),
  'invitation.malformed': accepted('I8'),

  // Bookings of resources
  'booking.accepted': accepted('B1'),
  'booking.conflict': accepted('B2'),
  'booking.declined': accepted('B3'),
  'booking.awaits-manager': accepted('B4'),
  'booking.cancelled': accepted('B5'),
  'booking.untouched': accepted('B6'),
  'booking.unverified': accepted('B7'),

  // What the mail server refused on its own, read from its log
  'server.refused': { action: 'reject', code: 'P1' },
  'server.deferred': { action: 'defer', code: 'P2' },
} as const satisfies Readonly<Record<string, ReasonRow>>

export type Reason = keyof typeof reasons

/** Returns what the mail server does for a reason. */
export function actionOf(reason: Reason): Action {
  return reasons[reason].action
}

/** Returns the reply to the sending server: `550 5.7.1 Text [L5]`; undefined for accepted mail. */
export function replyOf(reason: Reason): string | undefined {
  const row: ReasonRow = reasons[reason]
  if (row.reply === undefined) return undefined
  const [code, status, text] = row.reply
  return `${code} ${status} ${text} [${row.code}]`
}

function accepted(code: string) {
  return { action: 'accept', code } as const satisfies ReasonRow
}

function dropped(code: string) {
  return { action: 'discard', code } as const satisfies ReasonRow
}

function deferral(code: string, text: string) {
  return { action: 'defer', code, reply: [450, '4.7.1', text] } as const satisfies ReasonRow
}

function held(code: string, text: string) {
  return { action: 'hold', code, reply: [450, '4.7.1', text] } as const satisfies ReasonRow
}

function refusal(code: string, smtp: number, status: string, text: string) {
  return { action: 'reject', code, reply: [smtp, status, text] } as const satisfies ReasonRow
}
