import { readFile } from 'node:fs/promises'
import { z } from 'zod'
import type { Db } from '../../platform/db/database.ts'
import { nameOf } from '../../platform/http/bodies/fetch-bytes.ts'
import { defineJob } from '../../platform/jobs/job.ts'
import type { Jobs } from '../../platform/jobs/jobs.ts'
import { fetchOf } from '../../platform/tracing/tracer.ts'
import { parseRate } from './exchange-rate.ts'
import { setRates } from './exchange-store.ts'

/** The source has no usable rates; the message says why. */
export class RatesRefused extends Error {
  override name = 'RatesRefused'
}

const code = z.string().regex(/^[A-Z]{3}$/)

const ratesText = z.object({
  base: code,
  date: z.string().optional(),
  /** Unix seconds, which some services send instead of the date. */
  timestamp: z.number().int().positive().max(9_999_999_999).optional(),
  rates: z.record(code, z.union([z.string(), z.number()])),
})

/** Rates of one base currency for a date, each as the decimal number that was sent. */
export interface DayRates {
  readonly base: string
  readonly day: string
  readonly rates: ReadonlyMap<string, string>
}

/** Parses rates from JSON. Throws RatesRefused if they are invalid, before any are set. */
export function parseRates(text: string, source: string): DayRates {
  const parsed = ratesText.safeParse(parseJson(text, source))
  if (!parsed.success) {
    const place = parsed.error.issues[0]?.path.join('.') ?? ''
    throw new RatesRefused(`${source}: must contain base, date and rates by currency. ${place} is not valid.`)
  }
  const { base, date, timestamp, rates } = parsed.data
  const stamped = timestamp === undefined ? undefined : new Date(timestamp * 1000).toISOString().slice(0, 10)
  const day = date ?? stamped
  if (day === undefined || !isDay(day))
    throw new RatesRefused(`${source}: ${day} is not a date such as 2026-01-31.`)
  const found = new Map(
    Object.entries(rates)
      .filter(([currency]) => currency !== base || timestamp === undefined)
      .map(([currency, rate]) => [currency, String(rate)]),
  )
  for (const [currency, rate] of found) {
    if (currency === base || parseRate(rate) === undefined) {
      throw new RatesRefused(
        `${source}: ${rate} is not a valid rate for ${currency} with at most ten decimals.`,
      )
    }
  }
  if (found.size === 0) throw new RatesRefused(`${source} has no rates.`)
  return { base, day, rates: found }
}

/** Fetches rates from a file or an `https://` URL. Throws RatesRefused. */
export async function readRatesFrom(source: string): Promise<DayRates> {
  return parseRates(await readSource(source), nameOf(source))
}

/** Updates the rates from the configured source; every morning. */
export const renewRatesJob = defineJob('exchange:renew', z.unknown(), 8)

/** Registers the update job; without a source the operator imports rates. */
export function renewRates(jobs: Jobs, db: Db, source: string | undefined): void {
  jobs.schedule(renewRatesJob, '10 5 * * *', async () => {
    if (source !== undefined) await setRates(db, await readRatesFrom(source))
  })
}

/** Larger responses can't be valid rates. */
const mostBytes = 1024 * 1024

const fetchRates = fetchOf('exchange-rates')

async function readSource(source: string): Promise<string> {
  if (!source.startsWith('https://')) {
    return readFile(source, 'utf8').catch(() => {
      throw new RatesRefused(`${source} cannot be read.`)
    })
  }
  const name = nameOf(source)
  const answer = await fetchRates(source, { signal: AbortSignal.timeout(30_000), redirect: 'error' }).catch(
    () => {
      throw new RatesRefused(`${name} does not respond.`)
    },
  )
  if (!answer.ok) throw new RatesRefused(`${name} returned status ${answer.status}.`)
  const text = await answer.text()
  if (text.length > mostBytes) throw new RatesRefused(`${name} returned a response that is too large.`)
  return text
}

function isDay(text: string): boolean {
  const day = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(day.getTime()) && day.toISOString().slice(0, 10) === text
}

function parseJson(text: string, source: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    throw new RatesRefused(`${source} is not JSON.`)
  }
}
