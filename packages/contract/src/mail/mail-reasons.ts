/** What the mail server does with a message. */
export const mailActions = ['accept', 'defer', 'hold', 'reject', 'discard'] as const

export type MailAction = (typeof mailActions)[number]

/**
 * Every reason for a decision about mail: what the mail server does, and the code at the end of its replies. The replies
 * themselves are known to the server only (`mailflow/reasons.ts`), whose test compares the two lists.
 */
export const mailReasons = {
  'greylist.first-contact': { action: 'defer', code: 'G1' },
  'greylist.too-early': { action: 'defer', code: 'G2' },
  'greylist.waited': { action: 'accept', code: 'G3' },
  'greylist.known-correspondent': { action: 'accept', code: 'G4' },
  'greylist.authenticated-sender': { action: 'accept', code: 'G5' },
  'greylist.one-time-codes': { action: 'accept', code: 'G6' },
  'greylist.known-server': { action: 'accept', code: 'G7' },
  'greylist.off': { action: 'accept', code: 'G8' },
  'greylist.allowed-by-recipient': { action: 'accept', code: 'G9' },
  'greylist.let-through': { action: 'accept', code: 'G10' },
  'greylist.unknown-recipient': { action: 'accept', code: 'G11' },
  'sender.verified': { action: 'accept', code: 'S1' },
  'sender.unverified': { action: 'accept', code: 'S2' },
  'sender.spf-failed': { action: 'reject', code: 'S3' },
  'sender.spf-exception': { action: 'accept', code: 'S4' },
  'sender.dmarc-failed': { action: 'reject', code: 'S5' },
  'sender.dmarc-quarantine': { action: 'accept', code: 'S6' },
  'sender.lookup-failed': { action: 'accept', code: 'S7' },
  'submission.own-address': { action: 'accept', code: 'M1' },
  'submission.alias': { action: 'accept', code: 'M2' },
  'submission.delegate': { action: 'accept', code: 'M3' },
  'submission.list': { action: 'accept', code: 'M4' },
  'submission.shared-folder': { action: 'accept', code: 'M5' },
  'submission.invalid-sender': { action: 'reject', code: 'M6' },
  'submission.unknown-user': { action: 'reject', code: 'M7' },
  'submission.not-allowed': { action: 'reject', code: 'M8' },
  'submission.suspended': { action: 'reject', code: 'M9' },
  'submission.service-user': { action: 'accept', code: 'M10' },
  'rate.within-limits': { action: 'accept', code: 'R1' },
  'rate.exempt': { action: 'accept', code: 'R2' },
  'rate.external-sender': { action: 'accept', code: 'R3' },
  'rate.near-limit': { action: 'accept', code: 'R4' },
  'rate.messages-per-hour': { action: 'hold', code: 'R5' },
  'rate.recipients-per-hour': { action: 'hold', code: 'R6' },
  'rate.messages-per-day': { action: 'hold', code: 'R7' },
  'rate.recipients-per-day': { action: 'hold', code: 'R8' },
  'rate.suspected-takeover': { action: 'hold', code: 'R9' },
  'rate.invalid-sender': { action: 'hold', code: 'R10' },
  'rate.suspended': { action: 'hold', code: 'R11' },
  'rate.degraded': { action: 'hold', code: 'R12' },
  'rate.slowed': { action: 'accept', code: 'R13' },
  'list.anyone': { action: 'accept', code: 'L1' },
  'list.own-account': { action: 'accept', code: 'L2' },
  'list.member': { action: 'accept', code: 'L3' },
  'list.chosen-sender': { action: 'accept', code: 'L4' },
  'list.not-allowed': { action: 'reject', code: 'L5' },
  'list.unverified-sender': { action: 'reject', code: 'L6' },
  'list.suspended': { action: 'reject', code: 'L7' },
  'external.marked': { action: 'accept', code: 'X1' },
  'external.own-account': { action: 'accept', code: 'X2' },
  'external.trusted-domain': { action: 'accept', code: 'X3' },
  'external.off': { action: 'accept', code: 'X4' },
  'external.no-sender': { action: 'accept', code: 'X5' },
  'invitation.added': { action: 'accept', code: 'I1' },
  'invitation.updated': { action: 'accept', code: 'I2' },
  'invitation.cancelled': { action: 'discard', code: 'I3' },
  'invitation.answered': { action: 'discard', code: 'I4' },
  'invitation.untouched': { action: 'accept', code: 'I5' },
  'invitation.unverified': { action: 'accept', code: 'I6' },
  'invitation.off': { action: 'accept', code: 'I7' },
  'invitation.malformed': { action: 'accept', code: 'I8' },
  'booking.accepted': { action: 'accept', code: 'B1' },
  'booking.conflict': { action: 'accept', code: 'B2' },
  'booking.declined': { action: 'accept', code: 'B3' },
  'booking.awaits-manager': { action: 'accept', code: 'B4' },
  'booking.cancelled': { action: 'accept', code: 'B5' },
  'booking.untouched': { action: 'accept', code: 'B6' },
  'booking.unverified': { action: 'accept', code: 'B7' },
  'server.refused': { action: 'reject', code: 'P1' },
  'server.deferred': { action: 'defer', code: 'P2' },
} as const satisfies Readonly<Record<string, { readonly action: MailAction; readonly code: string }>>

export type MailReason = keyof typeof mailReasons

/** Returns true for the name of a reason. Decisions of newer versions may have others. */
export function isMailReason(name: string): name is MailReason {
  return Object.hasOwn(mailReasons, name)
}
