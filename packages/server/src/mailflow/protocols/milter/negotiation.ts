import { ProtocolViolation } from '../connections/protocol-errors.ts'
import type { Offer } from './commands.ts'
import { encodePacket, uint32 } from './packets.ts'

/** What a milter may do to a message at its end (SMFIF_…). */
const actionBits = {
  'add-headers': 0x01,
  'replace-body': 0x02,
  'add-recipients': 0x04,
  'delete-recipients': 0x08,
  'change-headers': 0x10,
  quarantine: 0x20,
} as const

export type MilterAction = keyof typeof actionBits

/** Commands that get a reply only if the milter decides something at them. */
export const allStages = ['connect', 'helo', 'mail', 'recipient', 'data'] as const

export type Stage = (typeof allStages)[number]

/** Commands to which the milter can promise not to reply. */
export type Step = Stage | 'header' | 'end-of-headers'

/** Bits of the protocol (SMFIP_…): steps that are not sent, replies that are not expected, extensions. */
const steps = {
  noBody: 0x10,
  noReplyToHeaders: 0x80,
  noUnknown: 0x100,
  noData: 0x200,
  skip: 0x400,
  noReplyToConnect: 0x1000,
  noReplyToHelo: 0x2000,
  noReplyToMail: 0x4000,
  noReplyToRecipient: 0x8000,
  noReplyToEndOfHeaders: 0x40000,
  leadingSpace: 0x100000,
} as const

const noReplyTo: Readonly<Record<Exclude<Stage, 'data'>, number>> = {
  connect: steps.noReplyToConnect,
  helo: steps.noReplyToHelo,
  mail: steps.noReplyToMail,
  recipient: steps.noReplyToRecipient,
}

const newestVersion = 6
/** Version 2 is the oldest in use; it knows no extensions. */
const oldestVersion = 2

export interface Wishes {
  readonly actions: readonly MilterAction[]
  /** Stages at which the milter decides. */
  readonly stages: ReadonlySet<Stage>
  readonly wantsBody: boolean
}

/** What mail server and milter have agreed on for one connection. */
export interface Agreement {
  readonly actions: ReadonlySet<MilterAction>
  /** The answer to the offer. */
  readonly reply: Buffer
  /** Commands to which no reply is expected. */
  readonly silent: ReadonlySet<Step>
  /** The rest of a body can be declined. */
  readonly canSkip: boolean
  /** Header values are exact in both directions, with the space after the colon. */
  readonly hasLeadingSpace: boolean
}

/**
 * Requests only the steps and actions that are needed. Throws `ProtocolViolation` if the mail server doesn't offer a needed
 * action.
 */
export function negotiate(offer: Offer, wishes: Wishes): Agreement {
  if (offer.version < oldestVersion) throw new ProtocolViolation(`protocol version ${offer.version}`)
  const actions = wishes.actions.reduce((bits, action) => bits | actionBits[action], 0)
  if ((offer.actions & actions) !== actions) throw new ProtocolViolation('an action is not offered')
  const agreed = offer.steps & wantedSteps(wishes)
  const has = (bit: number) => (agreed & bit) !== 0
  const silent = new Set<Step>()
  for (const stage of ['connect', 'helo', 'mail', 'recipient'] as const) {
    if (has(noReplyTo[stage])) silent.add(stage)
  }
  if (has(steps.noReplyToHeaders)) silent.add('header')
  if (has(steps.noReplyToEndOfHeaders)) silent.add('end-of-headers')
  const version = Math.min(offer.version, newestVersion)
  return {
    actions: new Set(wishes.actions),
    reply: encodePacket('O', uint32(version), uint32(actions), uint32(agreed)),
    silent,
    canSkip: has(steps.skip),
    hasLeadingSpace: has(steps.leadingSpace),
  }
}

function wantedSteps({ stages, wantsBody }: Wishes): number {
  let wanted: number =
    steps.noUnknown | steps.noReplyToHeaders | steps.noReplyToEndOfHeaders | steps.leadingSpace
  wanted |= wantsBody ? steps.skip : steps.noBody
  for (const stage of ['connect', 'helo', 'mail', 'recipient'] as const) {
    if (!stages.has(stage)) wanted |= noReplyTo[stage]
  }
  return stages.has('data') ? wanted : wanted | steps.noData
}
