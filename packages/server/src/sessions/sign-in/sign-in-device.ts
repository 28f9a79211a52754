import { sql } from 'kysely'
import { after, type Clock, day } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import type { Locator } from '../../platform/location.ts'
import { sha256 } from '../../platform/secrets.ts'
import type { Origin } from '../tokens/token-facts.ts'
import { readUserAgent } from '../user-agent.ts'

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
    user: { readonly id: number } | { readonly email: string },
    { ip, sentDevice }: { readonly ip: string; readonly sentDevice: string | undefined },
  ): Promise<string | undefined> {
    if (sentDevice === undefined) return undefined
    const device = fingerprintOf(sentDevice, this.#locator.country(ip) ?? '')
    const [column, value] = 'id' in user ? (['u.id', user.id] as const) : (['u.email', user.email] as const)
    const found = await this.#db
      .selectFrom('sign_in_devices as d')
      .innerJoin('users as u', 'u.id', 'd.user_id')
      .select('d.user_id')
      .where('d.device', '=', device)
      .where('d.seen_at', '>=', after(this.#clock.now(), -known))
      .where(column, '=', value)
      .where('u.deleted_at', 'is', null)
      .executeTakeFirst()
    return found && device.toString('base64url')
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
    const { rows } = await sql<{ isNew: boolean }>`with seen as (
        select bool_or(device = ${device}::bytea and seen_at >= ${after(now, -known)}::timestamptz) as is_known
        from sign_in_devices where user_id = ${userId}
      ), noted as (
        insert into sign_in_devices (user_id, device, seen_at)
        values (${userId}, ${device}::bytea, ${now}::timestamptz)
        on conflict (user_id, device) do update set seen_at = excluded.seen_at
          where sign_in_devices.seen_at <= ${after(now, -noteEvery)}::timestamptz
        returning user_id
      )
      select seen.is_known is false as "isNew" from seen, noted`.execute(db)
    if (rows[0]?.isNew === true) await this.#tell(db, userId, origin)
  }

  /** Takes every device of a user for unknown; that there were some stays known. */
  async distrust(db: Db, userId: number): Promise<void> {
    await db
      .updateTable('sign_in_devices')
      .set({ seen_at: new Date(0) })
      .where('user_id', '=', userId)
      .execute()
  }

  /** Forgets what was not seen for ninety days, save the last one of each user: who has had one is told of others. */
  async purge(): Promise<void> {
    await sql`delete from sign_in_devices d where d.seen_at < ${after(this.#clock.now(), -known)}::timestamptz
      and exists (select from sign_in_devices l where l.user_id = d.user_id
        and (l.seen_at, l.device) > (d.seen_at, d.device))`.execute(this.#db)
  }
}

function fingerprintOf(cookie: string, country: string): Buffer {
  return sha256(JSON.stringify(['cookie', cookie, country]))
}
