import { archiveName } from '../../files/file-name.ts'

/** A file or collection on the way to a file. */
export interface PathPart {
  readonly id: string
  readonly name: string
  /** Above 1 for a name that may look like another one in the same collection. */
  readonly number: number
}

/** What is added to names: nobody else's name may look like that. */
const marked = /~[0-9a-f]{12}(\.[^.]*)?$/i

/** Bytes from which names are shortened. */
const longName = 240

/** Returns a path that is safe on every system and different from that of every other file. */
export function archivePath(parts: readonly PathPart[]): string {
  return parts.map(segment).join('/')
}

/** Returns the folder of a user's files or mail. */
export function userFolder(id: number, email: string): string {
  const name = archiveName(email)
  return name === email ? name : `${name}~${id}`
}

function segment({ id, name, number }: PathPart): string {
  const safe = archiveName(name)
  const isAlone = number === 1 && !marked.test(name) && Buffer.byteLength(name) <= longName
  if (isAlone) return safe
  const [, stem = safe, extension = ''] = /^(.+?)((?:\.[^.\s]{1,16})?)$/s.exec(safe) ?? []
  return `${stem}~${id.slice(-12)}${extension}`
}
