import { readFile } from 'node:fs/promises'
import { z } from 'zod'
import { parseRate } from '../billing/exchange/exchange-rate.ts'
import { UsageError } from './command.ts'
import { readDay } from './vat-file.ts'

const code = z.string().regex(/^[A-Z]{3}$/)

const ratesFile = z.object({
  base: code,
  date: z.string(),
  rates: z.record(code, z.union([z.string(), z.number()])),
})

/** Rates of one base on a day, each as the decimal number that was written. */
export interface RatesFile {
  readonly base: string
  readonly day: string
  readonly rates: ReadonlyMap<string, string>
}

/** Reads exchange rates from a JSON file. Throws UsageError for anything that is no such file, before one is set. */
export async function readRates(file: string): Promise<RatesFile> {
  const content = await readFile(file, 'utf8').catch(() => {
    throw new UsageError(`${file} cannot be read.`)
  })
  const parsed = ratesFile.safeParse(parseJson(content, file))
  if (!parsed.success) {
    const place = parsed.error.issues[0]?.path.join('.') ?? ''
    throw new UsageError(`${file}: wants base, date and rates by currency; ${place} is wrong.`)
  }
  const { base, date, rates } = parsed.data
  const found = new Map(Object.entries(rates).map(([currency, rate]) => [currency, String(rate)]))
  for (const [currency, rate] of found) {
    if (currency === base || parseRate(rate) === undefined) {
      throw new UsageError(`${file}: ${rate} is no rate of ${currency}, with ten decimals at most.`)
    }
  }
  if (found.size === 0) throw new UsageError(`${file} has no rates.`)
  return { base, day: readDay(date), rates: found }
}

function parseJson(text: string, file: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    throw new UsageError(`${file} is no JSON.`)
  }
}
