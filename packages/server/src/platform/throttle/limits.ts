import { hour, minute } from '../clock.ts'
import { networkOf, wideNetworkOf } from '../http/callers/network-list.ts'
import { sha256 } from '../secrets.ts'

/** How many failures are allowed, and how the wait grows beyond that. Allowances refill within a day. */
export interface Limit {
  /** Failures without a wait. */
  readonly free: number
  /** Wait in seconds after the first excess failure; doubles with each further one. */
  readonly firstWait: number
  /** Longest wait in seconds. */
  readonly longestWait: number
}

/** Limits for a kind of guess. Absent limits are not counted. */
export interface Limits {
  /** Per account, code or voucher, from anywhere. */
  readonly account?: Limit
  /** Per account and network: add it if `account` must be lenient because strangers can exhaust it. */
  readonly here?: Limit
  /** Per network across all accounts; four times as much for the surrounding network. */
  readonly network?: Limit
}

/** Against guessing a single account, code or voucher. */
export const perAccount: Limit = { free: 5, firstWait: 2, longestWait: 15 * minute }

/**
 * Against guessing from one network, where many people may share an address: waits start at the fiftieth
 * failure.
 */
export const perNetwork: Limit = { free: 49, firstWait: 2, longestWait: hour }

const usual: Limits = { account: perAccount, network: perNetwork }

/** The target and origin of a guess; the throttle derives all its counters from them. */
export interface Guarded {
  /** Name of the kind of guess: each kind has its own counters. */
  readonly kind: string
  /** The account, code or link being guessed; absent if the request names none. */
  readonly account?: string | number
  /** Absent for calls without a network limit, and for calls from a server that doesn't know it. */
  readonly ip?: string | undefined
  /**
   * A device or place from which the account's owner has signed in before. Its limit replaces all others, so
   * strangers can't lock the owner out and a stolen device cookie doesn't allow unlimited guesses.
   */
  readonly known?: string | undefined
  readonly limits?: Limits
}

/** One counter. */
export interface Target {
  /** Kind and subject; identifies the target in this process. */
  readonly name: string
  readonly kind: string
  /** Hashed, so that subjects are not stored in the clear. */
  readonly subject: Buffer
  readonly limit: Limit
  /** Whether a success resets the counter. */
  readonly isCleared: boolean
}

/** Returns all counters of a request. Networks are IPv4 addresses and /24, or IPv6 /64 and /48. */
export function targetsOf({ kind, account, ip, known, limits = usual }: Guarded): Target[] {
  const target = (part: string, subject: string, limit: Limit | undefined, isCleared = false): Target[] =>
    limit === undefined
      ? []
      : [
          {
            name: `${kind}${part} ${subject}`,
            kind: `${kind}${part}`,
            subject: sha256(subject),
            limit,
            isCleared,
          },
        ]
  if (account !== undefined && known !== undefined) {
    return target(':known', `${account} ${known}`, perAccount, true)
  }
  const { here } = limits
  const network = ip === undefined ? undefined : networkOf(ip)
  return [
    ...(account === undefined || network === undefined
      ? []
      : target(':here', `${account} ${network}`, here, true)),
    // a success in one place must not reset the count of strangers elsewhere
    ...(account === undefined ? [] : target('', String(account), limits.account, here === undefined)),
    ...(ip === undefined || network === undefined
      ? []
      : [
          ...target(':network', network, limits.network),
          ...target(':wide', wideNetworkOf(ip), wider(limits.network)),
        ]),
  ]
}

/**
 * Limit of the surrounding network: attackers hold many small networks in it, but so does a town's provider.
 */
function wider(limit: Limit | undefined): Limit | undefined {
  return limit && { ...limit, free: 4 * limit.free, longestWait: Math.min(limit.longestWait, 10 * minute) }
}
