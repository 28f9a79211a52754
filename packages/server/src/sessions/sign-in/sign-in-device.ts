import { after, type Clock, day } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import type { Locator } from '../../platform/location.ts'
import { sha256 } from '../../platform/secrets.ts'
import type { Origin } from '../tokens/token-facts.ts'
import { readUserAgent } from '../user-agent.ts'
import { forgetWhenSeen, knowsDevice, noteDevice, purgeDevices, type UserName } from './sign-in-store.ts'

/** Seconds after its last use that a device is forgotten. */
const known = 90 * day
/** Seconds between updates of a device's last use. */
const noteEvery = day

/** Notifies a user of a sign-in with an unknown device. */
export type TellNewDevice = (trx: Db, userId: number, origin: Origin) => Promise<void>

/**
 * Recognizes the devices that users sign in from, so that new ones can be reported. Browsers are identified by
 * a random persistent cookie, clients without cookies by name and system; both together with the country, so
 * that a cookie copied elsewhere counts as a new device. Only a hash is stored.
 */
export class SignInDevices {
  readonly #db: Db
  readonly #clock: Clock
  readonly #locator: Locator
  readonly #tell: TellNewDevice

  constructor(db: Db, clock: Clock, locator: Locator, tell: TellNewDevice) {
    this.#db = db
    this.#clock = clock
    this.#locator = locator
    this.#tell = tell
  }

  /** Returns the hash that identifies a request's device in the database. */
  fingerprint(origin: Origin): Buffer {
    const { program, system, kind } = readUserAgent(origin.userAgent)
    const country = this.#locator.country(origin.ip) ?? ''
    const cookie = kind === 'program' ? undefined : origin.device?.()
    return cookie === undefined
      ? sha256(JSON.stringify([program, system, country]))
      : fingerprintOf(cookie, country)
  }

  /**
   * Returns the fingerprint of a request's browser if the user signed in from it within ninety days, from the
   * same country. Clients without a cookie are never recognized: anyone could imitate them.
   */
  async recognise(
    user: UserName,
    { ip, sentDevice }: { readonly ip: string; readonly sentDevice: string | undefined },
  ): Promise<string | undefined> {
    if (sentDevice === undefined) return undefined
    const device = fingerprintOf(sentDevice, this.#locator.country(ip) ?? '')
    const isKnown = await knowsDevice(this.#db, user, device, after(this.#clock.now(), -known))
    return isKnown ? device.toString('base64url') : undefined
  }

  /** Whether a device seen at a moment needs no update now. */
  isFresh(seenAt: Date | null | undefined): boolean {
    return seenAt != null && after(seenAt, noteEvery) > this.#clock.now()
  }

  /**
   * Records a user's sign-in from a device. One not seen for ninety days is reported, unless it is the user's
   * first device ever. Of many concurrent sign-ins from a new device, one reports it.
   */
  async note(db: Db, userId: number, device: Buffer, origin: Origin): Promise<void> {
    if (!db.isTransaction) {
      return db.transaction().execute((trx) => this.note(trx, userId, device, origin))
    }
    const now = this.#clock.now()
    const since = { now, knownSince: after(now, -known), notedSince: after(now, -noteEvery) }
    if (await noteDevice(db, userId, device, since)) await this.#tell(db, userId, origin)
  }

  /** Marks all devices of a user as unknown, while keeping the fact that there were some. */
  async distrust(db: Db, userId: number): Promise<void> {
    await forgetWhenSeen(db, userId)
  }

  /**
   * Deletes devices not seen for ninety days, except each user's last: it shows that new devices must be
   * reported.
   */
  async purge(): Promise<void> {
    await purgeDevices(this.#db, after(this.#clock.now(), -known))
  }
}

function fingerprintOf(cookie: string, country: string): Buffer {
  return sha256(JSON.stringify(['cookie', cookie, country]))
}
