import type ICAL from 'ical.js'
import { isFollowing, recurrenceOf } from './components.ts'
import type { InvitationMessage } from './invitation-message.ts'
import { compareVersions, type Version, versionOf } from './version.ts'

/**
 * What was cancelled. The calendar doesn't tell any more, so that it has to be kept: an older request that comes late, or is
 * sent again by somebody else with its signature, would bring back what was cancelled.
 */
export interface Cancellation extends Version {
  /** Epoch seconds of the occurrence; null: everything. */
  readonly recurrence: number | null
  /** All that follow are cancelled too. */
  readonly isFollowing: boolean
}

/** What a message cancels. */
export function cancellationsOf({ components }: InvitationMessage): Cancellation[] {
  return components.map((component) => ({
    ...versionOf(component),
    recurrence: recurrenceOf(component) ?? null,
    isFollowing: isFollowing(component),
  }))
}

/** Whether a component is older than the cancellation of what it's about. */
export function isCancelled(component: ICAL.Component, cancellations: readonly Cancellation[]): boolean {
  const version = versionOf(component)
  const recurrence = recurrenceOf(component)
  return cancellations.some((cancellation) => {
    if (compareVersions(version, cancellation) >= 0) return false
    if (cancellation.recurrence === null) return true
    if (recurrence === undefined) return false
    return cancellation.isFollowing
      ? recurrence >= cancellation.recurrence
      : recurrence === cancellation.recurrence
  })
}
