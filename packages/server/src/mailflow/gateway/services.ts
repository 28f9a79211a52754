import type { Arrival } from '../arrival.ts'
import type { Decision } from '../decision.ts'
import type { AcceptedMessage } from '../greylist/greylisting.ts'
import type { SenderAuthentication } from '../list-access/sender-authentication.ts'
import type { SpfProof } from '../sender-authentication/spf-policy.ts'

/** A message of a user who signed in, before its text is sent. */
export interface SubmittedSender {
  /** Login. */
  readonly user: string
  readonly sender: string
  /** Addresses in From; null: not known yet. */
  readonly authors: readonly string[] | null
  readonly clientAddress: string | null
  readonly queueId: string | null
}

/** A message of a user who signed in, with all its recipients. */
export interface SubmittedMessage {
  readonly user: string | null
  readonly sender: string
  readonly recipients: readonly string[]
  readonly queueId: string | null
  readonly messageId: string | null
  readonly clientAddress: string | null
}

/** The policies that the gateway asks. Each keeps its decisions. */
export interface GatewayPolicies {
  readonly spf: {
    judge(arrival: Arrival): Promise<{ readonly decision: Decision; readonly proof: SpfProof }>
  }
  readonly lists: {
    decide(
      arrival: Arrival & { readonly authentication: SenderAuthentication | null },
    ): Promise<Decision | undefined>
  }
  readonly greylist: {
    decide(arrival: Arrival & SpfProof): Promise<Decision>
    /** Learns from a message that was accepted. */
    learn(message: AcceptedMessage): Promise<void>
  }
  /** Absent: users who signed in may send everything. */
  readonly submission?: { decide(sender: SubmittedSender): Promise<Decision> }
  /** Absent: nothing is counted. */
  readonly rate?: { decide(message: SubmittedMessage): Promise<Decision> }
}

/** Signs messages for a domain: returns the fields to insert at the top. */
export type SignMessage = (message: Buffer) => Promise<readonly string[]>

/** Keys of domains. */
export interface DkimSigners {
  /** Undefined: the domain has no keys. */
  signerFor(domain: string): Promise<SignMessage | undefined>
}
