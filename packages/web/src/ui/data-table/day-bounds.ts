/** The first second of a day where the reader is, as the server takes it (UTC). */
export function firstMoment(day: string | undefined): string | null {
  return day === undefined ? null : utc(new Date(`${day}T00:00:00`))
}

/** The last second of a day where the reader is, as the server takes it (UTC). */
export function lastMoment(day: string | undefined): string | null {
  return day === undefined ? null : utc(new Date(`${day}T23:59:59`))
}

function utc(moment: Date): string {
  return moment.toISOString().replace(/\.\d+Z$/, 'Z')
}
