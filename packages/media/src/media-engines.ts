import type { EngineEvents } from './engine.ts'
import { EnginePool } from './engine-pool.ts'
import { LocalEngines } from './local-engines.ts'
import { MediaRooms } from './media-rooms.ts'
import type { MediaSettings } from './media-settings.ts'
import { RemoteEngines } from './remote-engines.ts'

export interface MediaEnginesOptions {
  readonly settings: MediaSettings
  readonly warn: (text: string) => void
  /** Absent: the built one. */
  readonly script?: string
}

/** All that a portal has for media: its engines, those that register, and the rooms on them. */
export class MediaEngines implements AsyncDisposable {
  readonly pool = new EnginePool()
  readonly rooms: MediaRooms
  /** Undefined: no engines of other hosts are taken in. */
  readonly remote: RemoteEngines | undefined
  readonly #local: LocalEngines

  constructor({ settings, warn, script }: MediaEnginesOptions) {
    this.rooms = new MediaRooms(this.pool, warn)
    this.#local = new LocalEngines({
      name: 'local',
      count: settings.MEET_ENGINES,
      udpPort: settings.MEET_UDP_PORT,
      bindAddress: settings.MEET_BIND_ADDRESS,
      announced: settings.MEET_ANNOUNCED_ADDRESS,
      relays: settings.MEET_TURN_URLS.length > 0,
      onEngine: (engine) => this.pool.add(engine),
      warn,
      ...(script === undefined ? {} : { script }),
    })
    this.remote =
      settings.MEET_ENGINE_TOKEN === undefined
        ? undefined
        : new RemoteEngines({
            token: settings.MEET_ENGINE_TOKEN,
            onEngine: (engine) => this.pool.add(engine),
            warn,
          })
  }

  /** Starts the engines of this machine; returns at once. Rooms can be opened when one of them is ready. */
  start(): void {
    this.#local.start()
  }

  /** Process ids of the engines of this machine. */
  get processes(): readonly number[] {
    return this.#local.supervisors.flatMap(({ pid }) => pid ?? [])
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.rooms.close()
    this.remote?.close()
    await this.#local.stop()
  }
}

/** Loads of all engines at present, for metrics. */
export function loads(pool: EnginePool): { readonly engine: string; readonly load: EngineEvents['load'] }[] {
  return pool.engines.map(({ id, load }) => ({ engine: id, load }))
}
