import type { Channel } from './channel.ts'
import type { EngineClient } from './engine-client.ts'
import type { EngineOptions } from './engine-options.ts'
import { EngineSupervisor } from './engine-supervisor.ts'
import { defaultUdpPort } from './media-settings.ts'

export interface EnginePlaces {
  readonly count: number
  /** Of the first engine; undefined: the usual one, or any if that is taken. */
  readonly udpPort: number | undefined
  readonly bindAddress: string | undefined
  readonly announced: readonly string[]
  /** Opens the second port of each engine. */
  readonly relays: boolean
}

export interface LocalEnginesOptions extends EnginePlaces {
  /** What the engines' names begin with. */
  readonly name: string
  readonly onEngine: (engine: EngineClient, channel: Channel) => void
  readonly warn: (text: string) => void
  readonly script?: string
}

/** The engines of this machine, each in a process that is kept alive. */
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

/** Ports of each engine: its own one and the one after that for relays. */
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
