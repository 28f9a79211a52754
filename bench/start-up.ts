import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Benchmark, median, spread } from './result.ts'
import { startServer } from './server-process.ts'

const runs = 5

/** From process start to the first response, after the build. */
export const startUp: Benchmark = {
  name: 'start-up',
  async run() {
    const folder = await mkdtemp(join(tmpdir(), 'gatehouse-start-'))
    try {
      const first = await timed(folder)
      const later: number[] = []
      for (let run = 0; run < runs; run++) later.push(await timed(folder))
      return [
        {
          what: 'start of a built installation',
          value: median(later) / 1000,
          unit: 's',
          bar: { at: 'most', limit: 3 },
          detail: `${spread(later, 0)} ms over ${runs} runs; first start, with a new database and demo data, ${first.toFixed(0)} ms`,
        },
      ]
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  },
}

async function timed(folder: string): Promise<number> {
  await using server = await startServer(folder)
  return server.startUp
}
