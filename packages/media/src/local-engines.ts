import type { Channel } from './channel.ts'
import type { EngineClient } from './engine-client.ts'
import type { EngineOptions } from './engine-options.ts'
import { EngineSupervisor } from './engine-supervisor.ts'
import { defaultUdpPort } from './media-settings.ts'

export interface EnginePlaces {
  readonly count: number
  /** Port of the first engine; undefined for the default, or any if that is in use. */
  readonly udpPort: number | undefined
  readonly bindAddress: string | undefined
  readonly announced: readonly string[]
  /** Opens a second port for relays on each engine. */
  readonly relays: boolean
}

export interface LocalEnginesOptions extends EnginePlaces {
  /** Prefix of the engines' IDs. */
  readonly name: string
  readonly onEngine: (engine: EngineClient, channel: Channel) => void
  readonly warn: (text: string) => void
  readonly script?: string
}

/** The engines of this machine, each in a supervised process. */
export class LocalEngines {
  readonly supervisors: readonly EngineSupervisor[]

  constructor({ name, onEngine, warn, script, ...places }: LocalEnginesOptions) {
    this.supervisors = placesOf(places).map(
      (engine, index) =>
        new EngineSupervisor({
          id: `${name}-${index}`,
          engine,
          onEngine,
          warn,
          ...(script === undefined ? {} : { script }),
        }),
    )
  }

  start(): void {
    for (const supervisor of this.supervisors) supervisor.start()
  }

  async stop(): Promise<void> {
    await Promise.all(this.supervisors.map((supervisor) => supervisor.stop()))
  }
}

/** Ports of each engine: its own, and the next one for relays. */
function placesOf(places: EnginePlaces): EngineOptions[] {
  return Array.from({ length: places.count }, (_, index) => {
    const first = places.udpPort ?? defaultUdpPort
    const at = (offset: number) => (first === 0 ? 0 : first + 2 * index + offset)
    return {
      udpPort: at(0),
      orAnotherPort: places.udpPort === undefined,
      announced: [...places.announced],
      ...(places.bindAddress === undefined ? {} : { bindAddress: places.bindAddress }),
      ...(places.relays ? { relayPort: at(1) } : {}),
    }
  })
}
