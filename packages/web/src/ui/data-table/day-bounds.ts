/** Returns the first second of a local day in the server's format (UTC). */
export function firstMoment(day: string | undefined): string | null {
  return day === undefined ? null : utc(new Date(`${day}T00:00:00`))
}

/** Returns the last second of a local day in the server's format (UTC). */
export function lastMoment(day: string | undefined): string | null {
  return day === undefined ? null : utc(new Date(`${day}T23:59:59`))
}

function utc(moment: Date): string {
  return moment.toISOString().replace(/\.\d+Z$/, 'Z')
}
