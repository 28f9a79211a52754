import type { EngineEvents } from './engine.ts'
import { EnginePool } from './engine-pool.ts'
import { LocalEngines } from './local-engines.ts'
import { MediaRooms } from './media-rooms.ts'
import type { MediaSettings } from './media-settings.ts'
import { RemoteEngines } from './remote-engines.ts'

export interface MediaEnginesOptions {
  readonly settings: MediaSettings
  readonly warn: (text: string) => void
  /** Defaults to the built script. */
  readonly script?: string
}

/** A portal's media layer: its engines, those of other hosts, and the rooms on them. */
export class MediaEngines implements AsyncDisposable {
  readonly pool = new EnginePool()
  readonly rooms: MediaRooms
  /** Undefined if engines of other hosts aren't accepted. */
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

  /** Starts the local engines and returns immediately. Rooms can be opened once one of them is ready. */
  start(): void {
    this.#local.start()
  }

  /** PIDs of the local engines. */
  get processes(): readonly number[] {
    return this.#local.supervisors.flatMap(({ pid }) => pid ?? [])
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.rooms.close()
    this.remote?.close()
    await this.#local.stop()
  }
}

/** Current load of all engines, for metrics. */
export function loads(pool: EnginePool): { readonly engine: string; readonly load: EngineEvents['load'] }[] {
  return pool.engines.map(({ id, load }) => ({ engine: id, load }))
}
