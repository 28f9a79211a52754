import { hour, minute } from '../clock.ts'
import { networkOf, wideNetworkOf } from '../http/callers/network-list.ts'
import { sha256 } from '../secrets.ts'

/** How many failures are forgiven, and how the wait grows after that. Within a day as many are forgotten again. */
export interface Limit {
  /** Failures without any wait. */
  readonly free: number
  /** Seconds after the first failure too many; doubled by each further one. */
  readonly firstWait: number
  /** Longest wait in seconds. */
  readonly longestWait: number
}

/** What is counted for a kind of guess. An absent limit is not counted. */
export interface Limits {
  /** One account, code or voucher, from everywhere. */
  readonly account?: Limit
  /** One account from one network: add it where `account` must be mild because strangers can use it up. */
  readonly here?: Limit
  /** One network at all accounts; four times as much for the wider network around it. */
  readonly network?: Limit
}

/** Against guessing at one account, one code or one voucher. */
export const perAccount: Limit = { free: 5, firstWait: 2, longestWait: 15 * minute }

/** Against guessing from one network, where many people may share an address: the fiftieth failure makes it wait. */
export const perNetwork: Limit = { free: 49, firstWait: 2, longestWait: hour }

const usual: Limits = { account: perAccount, network: perNetwork }

/** What a request guesses at and where it comes from; the throttle derives from it everything that is counted. */
export interface Guarded {
  /** Name of the kind of guess: each kind counts for itself. */
  readonly kind: string
  /** The account, code or link that is guessed at; absent where the request names none. */
  readonly account?: string | number
  /** Absent for calls that no network limit is meant for, and where a server asks that does not know it. */
  readonly ip?: string | undefined
  /**
   * Names a device or place from which the account's owner signed in before. It has a limit of its own instead of all
   * others, so strangers cannot lock the owner out, and a stolen device cookie does not give unlimited guesses.
   */
  readonly known?: string | undefined
  readonly limits?: Limits
}

/** One thing that is counted. */
export interface Target {
  /** Kind and subject, as this process tells targets apart. */
  readonly name: string
  readonly kind: string
  /** A hash: subjects are not stored in the clear. */
  readonly subject: Buffer
  readonly limit: Limit
  /** Whether a success starts its count again. */
  readonly isCleared: boolean
}

/** Everything that is counted for a request. Networks are IPv4 addresses and /24, or IPv6 /64 and /48. */
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
    // who succeeds in one place must not set strangers in other places free
    ...(account === undefined ? [] : target('', String(account), limits.account, here === undefined)),
    ...(ip === undefined || network === undefined
      ? []
      : [
          ...target(':network', network, limits.network),
          ...target(':wide', wideNetworkOf(ip), wider(limits.network)),
        ]),
  ]
}

/** For the network around a network: an attacker has many small ones in it, and so has a provider's town. */
function wider(limit: Limit | undefined): Limit | undefined {
  return limit && { ...limit, free: 4 * limit.free, longestWait: Math.min(limit.longestWait, 10 * minute) }
}
