import { after, type Clock, day } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import type { Locator } from '../../platform/location.ts'
import { sha256 } from '../../platform/secrets.ts'
import type { Origin } from '../tokens/token-facts.ts'
import { readUserAgent } from '../user-agent.ts'
import { forgetWhenSeen, knowsDevice, noteDevice, purgeDevices, type UserName } from './sign-in-store.ts'

/** Seconds for which a device that was not used is still known. */
const known = 90 * day
/** Seconds between two notes of a device that is used. */
const noteEvery = day

/** What a sign-in with an unknown device is told with. */
export type TellNewDevice = (trx: Db, userId: number, origin: Origin) => Promise<void>

/**
 * Knows the devices that users sign in from, so that a new one can be told. A browser is known by a random cookie that
 * lasts, other programs, which keep none, by their name and system; each together with the country, so that a cookie
 * that was copied elsewhere is a new device as well. What is stored is a hash.
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

  /** What stands for the device of a request in the database. */
  fingerprint(origin: Origin): Buffer {
    const { program, system, kind } = readUserAgent(origin.userAgent)
    const country = this.#locator.country(origin.ip) ?? ''
    const cookie = kind === 'program' ? undefined : origin.device?.()
    return cookie === undefined
      ? sha256(JSON.stringify([program, system, country]))
      : fingerprintOf(cookie, country)
  }

  /**
   * Names the browser of a request if the user signed in from it within ninety days, from the same country.
   * Programs without a cookie are never known: anybody could imitate them.
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

  /** True when a device that was seen at a moment needs no note of being seen now. */
  isFresh(seenAt: Date | null | undefined): boolean {
    return seenAt != null && after(seenAt, noteEvery) > this.#clock.now()
  }

  /**
   * Notes that a user signs in from a device. One that was not seen for ninety days is told, unless it is the first one
   * that the user ever had. Of many sign-ins at once from a new device one tells.
   */
  async note(db: Db, userId: number, device: Buffer, origin: Origin): Promise<void> {
    if (!db.isTransaction) {
      return db.transaction().execute((trx) => this.note(trx, userId, device, origin))
    }
    const now = this.#clock.now()
    const since = { now, knownSince: after(now, -known), notedSince: after(now, -noteEvery) }
    if (await noteDevice(db, userId, device, since)) await this.#tell(db, userId, origin)
  }

  /** Takes every device of a user for unknown; that there were some stays known. */
  async distrust(db: Db, userId: number): Promise<void> {
    await forgetWhenSeen(db, userId)
  }

  /** Forgets what was not seen for ninety days, save the last one of each user: who has had one is told of others. */
  async purge(): Promise<void> {
    await purgeDevices(this.#db, after(this.#clock.now(), -known))
  }
}

function fingerprintOf(cookie: string, country: string): Buffer {
  return sha256(JSON.stringify(['cookie', cookie, country]))
}
