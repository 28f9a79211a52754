import { after, day } from '../clock.ts'
import { longDay } from '../i18n/dates.ts'
import { UsageError } from './command.ts'

/** Arguments of a command: positional and named ones, such as `--limit=5`. */
export interface Arguments<Name extends string> {
  readonly words: readonly string[]
  readonly options: Readonly<Partial<Record<Name, string>>>
}

/** Separates named and positional arguments. `flags` take no value. Throws UsageError for an unknown name. */
export function readArguments<Name extends string>(
  args: readonly string[],
  names: readonly Name[],
  flags: readonly Name[] = [],
): Arguments<Name> {
  const options: Partial<Record<Name, string>> = {}
  for (const arg of args.filter((word) => word.startsWith('--'))) {
    const [, given, value] = /^--([a-z-]+)(?:=(.*))?$/.exec(arg) ?? []
    const name = names.find((known) => known === given)
    const isComplete = value !== undefined || flags.some((flag) => flag === name)
    if (name === undefined || !isComplete) throw new UsageError(`${arg} is not an option of this command.`)
    options[name] = value ?? ''
  }
  return { words: args.filter((word) => !word.startsWith('--')), options }
}

/** Parses a whole number of at least `least`; undefined if absent. Throws UsageError. */
export function readNumber(text: string | undefined, least = 0): number | undefined {
  if (text === undefined) return undefined
  const number = /^\d{1,9}$/.test(text) ? Number(text) : -1
  if (number < least) throw new UsageError(`${text} is not a whole number of at least ${least}.`)
  return number
}

/** Parses a calendar day, `YYYY-MM-DD`. Throws UsageError. */
export function readDay(text: string): string {
  const day = new Date(`${text}T00:00:00Z`)
  const isReal = !Number.isNaN(day.getTime()) && day.toISOString().slice(0, 10) === text
  if (!isReal) throw new UsageError(`${text} is not a date such as 2026-01-31.`)
  return text
}

/** Returns the end of a last day, `YYYY-MM-DD`; undefined if absent. Throws UsageError. */
export function readLastDay(text: string | undefined): Date | undefined {
  return text === undefined ? undefined : after(new Date(`${readDay(text)}T00:00:00Z`), day)
}

/** Formats a UTC date for sentences: 1 January 2030. */
export function inWords(moment: Date): string {
  return longDay(moment, 'en')
}

/** Formats a UTC date for list columns: 2030-01-01. */
export function dayOf(moment: Date | null): string {
  return moment?.toISOString().slice(0, 10) ?? 'no end'
}
