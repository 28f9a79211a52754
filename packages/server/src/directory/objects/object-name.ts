import type { Db } from '../../platform/db/database.ts'
import { type FieldMessages, type Message, message } from '../../platform/http/errors.ts'
import type { DirectoryKind, DirectoryObject } from './object.ts'
import { isNameTaken } from './object-store.ts'

/** Bytes of a name, which together with the domain makes a path in the mail store. */
const longest = 191

/** Characters that mean something to mail stores and shells; reference api-objects §7.5. */
const special = /[+/^%*!`@(){}|\\?<;"]/
/** One line: no control characters, nothing that turns the direction of text. */
const plain = /^[^\p{Cc}\p{Cs}\u2028\u2029\u202a-\u202e\u2066-\u2069]*$/u

/** A name in the form in which it is stored: one way to write each letter. */
export function canonicalName(text: string): string {
  return text.trim().normalize('NFC')
}

/** What is wrong with the form of a name; undefined: nothing. */
export function nameProblem(kind: DirectoryKind, name: string): Message | undefined {
  if (Buffer.byteLength(name) > longest) return message('directory.name-too-long', { max: longest })
  if (!plain.test(name)) return message('directory.nameinvalid')
  if (kind === 'group') return undefined
  if (kind === 'resource') return special.test(name) ? message('directory.nameinvalid') : undefined
  return isFolderName(name) ? undefined : message('directory.nameinvalid')
}

/** Sub-folders are separated by slashes; the folder that resources lie in is not for others. */
function isFolderName(name: string): boolean {
  const parts = name.split('/')
  const isPart = (part: string) =>
    part !== '' && part !== '.' && part !== '..' && part.trim() === part && !special.test(part)
  return parts.every(isPart) && parts[0]?.toLowerCase() !== 'resources'
}

/** Name that a form gives an object; `except` is the object that has it already. */
export interface WantedName {
  readonly kind: DirectoryKind
  /** Undefined: the domain is wrong, so nobody can tell whether the name is free. */
  readonly domain: string | undefined
  /** As it was sent. */
  readonly text: unknown
  readonly except?: number
}

/**
 * Checks a name that an object is to have. That it is free may change until it is written. Without a name in the
 * answer and without a problem the text is none at all, which the schema says.
 */
export async function checkName(
  db: Db,
  { kind, domain, text, except }: WantedName,
): Promise<{ readonly name?: string; readonly problem?: Message }> {
  if (text == null) return { problem: message('validation.required') }
  // what is no text or far too long is the schema's to say
  if (typeof text !== 'string' || text.length > 1024) return {}
  const name = canonicalName(text)
  const problem = nameProblem(kind, name)
  if (problem !== undefined) return { problem }
  const isTaken = domain !== undefined && (await isNameTaken(db, kind, domain, name, except))
  return isTaken ? { problem: message('directory.nameexists') } : { name }
}

/** The new name that a change of an object asks for; absent from the input: none. */
export async function checkNewName(
  db: Db,
  { kind, domain, id }: DirectoryObject,
  input: Readonly<Record<string, unknown>>,
): Promise<{ readonly name?: string; readonly errors: Readonly<Record<string, FieldMessages>> }> {
  if (input.name === undefined) return { errors: {} }
  const { name, problem } = await checkName(db, { kind, domain, text: input.name, except: id })
  return { ...(name !== undefined && { name }), errors: problem === undefined ? {} : { name: [problem] } }
}
