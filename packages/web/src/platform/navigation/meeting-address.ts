import { basePath } from '../config.ts'

/** Path of a room's meeting, within this installation. */
export function meetingPath(name: string): string {
  return `${basePath()}/meet/${name}`
}

/** Full URL, for sharing. */
export function meetingAddress(name: string): string {
  return new URL(meetingPath(name), window.location.origin).href
}
