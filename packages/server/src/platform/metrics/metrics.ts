import type { Pool } from 'pg'
import { Gauge, Registry } from 'prom-client'
import { ping } from '../db/database.ts'

/** A value with its labels. */
export interface Sample {
  readonly labels?: Readonly<Record<string, string>>
  readonly value: number
}

/** A gauge, as Prometheus describes it. */
export interface Described {
  readonly name: string
  readonly help: string
  readonly labelNames?: readonly string[]
}

/** Milliseconds that a scrape waits for the database to answer, and then for all values that are read from it. */
const patience = { ping: 700, reads: 1000 }

/**
 * The metrics of a process. A scrape is answered within two seconds, whatever the database does: values that are
 * read from it are missing while it's unreachable, and come from an earlier read while it's slow.
 */
export class Metrics extends Registry {
  readonly #pool: Pool
  #isUp = false
  /** The reads of a scrape use one connection. */
  #turn: Promise<unknown> = Promise.resolve()

  constructor(pool: Pool) {
    super()
    this.#pool = pool
    this.gauge({ name: 'gatehouse_database_up', help: '1 if the database responds, otherwise 0' }, () => [
      { value: this.#isUp ? 1 : 0 },
    ])
  }

  /** Whether the database answered the last scrape. */
  get isDatabaseUp(): boolean {
    return this.#isUp
  }

  override async metrics(): Promise<string> {
    await this.#findDatabase()
    return super.metrics()
  }

  override async getMetricsAsJSON(): ReturnType<Registry['getMetricsAsJSON']> {
    await this.#findDatabase()
    return super.getMetricsAsJSON()
  }

  /** Adds a gauge that is computed on each scrape. */
  gauge(
    { name, help, labelNames = [] }: Described,
    read: () => readonly Sample[] | Promise<readonly Sample[]>,
  ): void {
    new Gauge({
      name,
      help,
      labelNames: [...labelNames],
      registers: [this],
      async collect() {
        const samples = await read()
        this.reset()
        for (const { labels = {}, value } of samples) this.set(labels, value)
        if (samples.length === 0 && labelNames.length === 0) this.remove()
      },
    })
  }

  /** Adds a gauge that is read from the database on each scrape. */
  databaseGauge(described: Described, read: () => Promise<readonly Sample[]>): void {
    this.databaseGauges(read, [{ ...described, samples: (all) => all }])
  }

  /** Adds gauges with values from one read of the database on each scrape. */
  databaseGauges<Row>(
    read: () => Promise<readonly Row[]>,
    gauges: readonly (Described & { readonly samples: (rows: readonly Row[]) => readonly Sample[] })[],
  ): void {
    let reading: Promise<void> | undefined
    let last: readonly Row[] | undefined
    const begin = async () => {
      last = await this.#inTurn(read).catch(() => undefined)
      reading = undefined
    }
    for (const { samples, ...described } of gauges) {
      this.gauge(described, async () => {
        if (!this.#isUp) return []
        reading ??= begin()
        await within(reading, patience.reads)
        return last === undefined ? [] : samples(last)
      })
    }
  }

  async #findDatabase(): Promise<void> {
    const answered = ping(this.#pool).then(
      () => true,
      () => false,
    )
    this.#isUp = (await within(answered, patience.ping)) === true
  }

  #inTurn<T>(read: () => Promise<T>): Promise<T> {
    const turn = this.#turn.then(read)
    this.#turn = turn.catch(() => undefined)
    return turn
  }
}

/** Returns the result of some work, or undefined if it takes longer. */
async function within<T>(work: Promise<T>, milliseconds: number): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), milliseconds)
  })
  return Promise.race([work, late]).finally(() => clearTimeout(timer))
}
