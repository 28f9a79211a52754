import { afterEach } from 'vitest'
import { z } from 'zod'
import { MediaEngines } from '../media-engines.ts'
import { type MediaSettings, mediaSettings } from '../media-settings.ts'

/** Engines for tests, stopped afterwards. Their warnings are recorded. */
export function useEngines(): {
  readonly start: (settings?: Partial<MediaSettings>) => Promise<MediaEngines>
  readonly warnings: string[]
} {
  const running: MediaEngines[] = []
  const warnings: string[] = []
  afterEach(async () => {
    for (const engines of running.splice(0)) await engines[Symbol.asyncDispose]()
    warnings.length = 0
  })
  return {
    warnings,
    async start(settings = {}) {
      const defaults = z.object(mediaSettings).parse({ MEET_UDP_PORT: '0', MEET_BIND_ADDRESS: '127.0.0.1' })
      const engines = new MediaEngines({
        settings: { ...defaults, ...settings },
        warn: (text) => warnings.push(text),
      })
      running.push(engines)
      const ready = new Promise<void>((done) => {
        let missing = settings.MEET_ENGINES ?? 1
        if (missing === 0) done()
        engines.pool.onEngine(() => --missing === 0 && done())
      })
      engines.start()
      await ready
      return engines
    },
  }
}
