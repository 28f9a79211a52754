import ICAL from 'ical.js'

/** Which revision a component is (RFC 5546 §2.1.5): first the sequence number counts, then the time of writing. */
export interface Version {
  readonly sequence: number
  /** Epoch seconds; 0 if not given. */
  readonly stamp: number
}

export function versionOf(component: ICAL.Component): Version {
  const sequence = Number(component.getFirstPropertyValue('sequence') ?? 0)
  const stamp = component.getFirstPropertyValue('dtstamp')
  return {
    sequence: Number.isSafeInteger(sequence) && sequence >= 0 ? sequence : 0,
    // always UTC (RFC 5545 §3.8.7.2)
    stamp: stamp instanceof ICAL.Time ? Math.max(0, stamp.toUnixTime()) : 0,
  }
}

/** Negative if the first is older, positive if it is newer, 0 if both are the same revision. */
export function compareVersions(first: Version, second: Version): number {
  return first.sequence - second.sequence || first.stamp - second.stamp
}
