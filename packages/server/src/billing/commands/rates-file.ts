import { UsageError } from '../../platform/cli/command.ts'
import { type DayRates, RatesRefused, readRatesFrom } from '../exchange/rates-source.ts'

/**
 * Reads exchange rates from a JSON file or URL. Throws UsageError if they are invalid, before any are set.
 */
export async function readRates(source: string): Promise<DayRates> {
  try {
    return await readRatesFrom(source)
  } catch (error) {
    throw error instanceof RatesRefused ? new UsageError(error.message) : error
  }
}
