import { basePath } from '../config.ts'

/** Path of a room's meeting, within this installation. */
export function meetingPath(name: string): string {
  return `${basePath()}/meet/${name}`
}

/**
 * Path that starts a meeting without the setup screen, for people who have joined one in this browser before. The others
 * get the setup screen.
 */
export function startPath(name: string): string {
  return `${meetingPath(name)}?join=1`
}

/** Full URL, for sharing. */
export function meetingAddress(name: string): string {
  return new URL(meetingPath(name), window.location.origin).href
}
