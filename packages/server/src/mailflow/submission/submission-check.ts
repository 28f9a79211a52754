import { canonicalAddress } from '@gatehouse/contract/canonical-address'
import type { Pool } from 'pg'
import { Batch } from '../../platform/db/batch.ts'
import type { FeatureSettings } from '../../platform/settings/feature-settings.ts'
import { parseEmailAddress } from '../../users/addresses/email-address.ts'
import type { Decision } from '../decision.ts'
import type { DecisionLog } from '../decisions/decision-log.ts'
import { senderAddress } from '../list-access/sender-address.ts'
import { type AddressOwner, submission, withoutTag } from './submission.ts'
import {
  type OwnedAddress,
  readSubmittingUsers,
  type SubmissionQuery,
  type SubmittingUser,
} from './submission-store.ts'

export interface SubmissionParts {
  readonly pool: Pool
  readonly config: Pick<FeatureSettings, 'APP_WITH_DELEGATION'>
  readonly decisions: DecisionLog
}

/** A message of a user who signed in. */
export interface SubmissionCall {
  /** Login: the user's main address. */
  readonly user: string
  /** Envelope sender, as it was sent. */
  readonly sender: string
  /** Addresses of the From header field; null: the header isn't known yet. */
  readonly authors: readonly string[] | null
  readonly clientAddress: string | null
  readonly queueId: string | null
}

/** Decides whether users may send under the addresses they use. */
export class SubmissionCheck {
  readonly #parts: SubmissionParts

  readonly #users: Batch<SubmissionQuery, SubmittingUser | undefined>

  constructor(parts: SubmissionParts) {
    this.#parts = parts
    this.#users = new Batch({
      run: (queries) => readSubmittingUsers(parts.pool, queries),
      most: 100,
    })
  }

  /** Decides and records the decision. */
  async decide(call: SubmissionCall): Promise<Decision> {
    const caller = await this.#caller(call)
    const ownerOf = (text: string) => ownerOfAddress(text, caller?.owners ?? [])
    const decision = submission({
      caller: caller === undefined ? null : callerFacts(caller),
      sender: call.sender,
      senderOwner: ownerOf(call.sender),
      // more than one is refused, however many there are
      authors: call.authors?.slice(0, 2).map((address) => ({ address, owner: ownerOf(address) })) ?? null,
    })
    this.#parts.decisions.record('submission', decision, {
      direction: 'out',
      account: caller === undefined ? null : { walletId: caller.walletId, kind: 'user', id: caller.id },
      sender: senderAddress(call.sender)?.full ?? canonicalAddress(call.sender),
      recipient: null,
      clientAddress: call.clientAddress,
      queueId: call.queueId,
      messageId: null,
      ownDomains: caller?.domains ?? [],
    })
    return decision
  }

  async #caller({ user, sender, authors }: SubmissionCall): Promise<SubmittingUser | undefined> {
    const login = parseEmailAddress(user)?.full
    if (login === undefined) return undefined
    const addresses = [sender, ...(authors?.slice(0, 1) ?? [])].flatMap(candidates)
    const withDelegation = this.#parts.config.APP_WITH_DELEGATION
    return this.#users.add({ login, addresses, withDelegation })
  }
}

function callerFacts({ id, addresses, role, isSuspended }: SubmittingUser) {
  return { userId: id, addresses, isService: role === 'service', isSuspended }
}

/** The address and, if it has a tag, the one without. Only addresses that can be ours are looked up. */
function candidates(text: string): string[] {
  const full = senderAddress(text)?.full
  if (full === undefined) return []
  const found = [full, withoutTag(full)].filter((address) => parseEmailAddress(address) !== undefined)
  return [...new Set(found)]
}

function ownerOfAddress(text: string, owners: readonly OwnedAddress[]): AddressOwner | null {
  for (const candidate of candidates(text)) {
    const found = owners.find(({ address }) => address === candidate)
    if (found === undefined) continue
    const { address: _, ...owner } = found
    return owner
  }
  return null
}
