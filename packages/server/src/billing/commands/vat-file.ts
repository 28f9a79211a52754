import { readFile } from 'node:fs/promises'
import { z } from 'zod'
import { UsageError } from '../../platform/cli/command.ts'

/** Percentages by country (ISO 3166-1, two upper-case letters). */
const vatFile = z.record(z.string().regex(/^[A-Z]{2}$/), z.number().min(0).max(100))

/**
 * Reads rates in basis points from a JSON file that maps countries to percentages with at most two decimals.
 * Throws UsageError if it is invalid, before any rate is set.
 */
export async function readVatRates(file: string): Promise<ReadonlyMap<string, number>> {
  const content = await readFile(file, 'utf8').catch(() => {
    throw new UsageError(`${file} cannot be read.`)
  })
  const parsed = vatFile.safeParse(parseJson(content, file))
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    const country = issue?.path.join('.') ?? ''
    throw new UsageError(
      `${file}: must map two-letter country codes to percentages. ${country} is not valid.`,
    )
  }
  return new Map(
    Object.entries(parsed.data).map(([country, percent]) => [country, hundredths(percent, country)]),
  )
}

function parseJson(text: string, file: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    throw new UsageError(`${file} is not JSON.`)
  }
}

function hundredths(percent: number, country: string): number {
  const rate = Math.round(percent * 100)
  // 8.1 times 100 is not exactly 810
  if (rate / 100 !== percent) throw new UsageError(`${country}: ${percent} has more than two decimals.`)
  return rate
}
