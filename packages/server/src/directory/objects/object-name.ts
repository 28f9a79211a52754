import type { Db } from '../../platform/db/database.ts'
import { type Message, message } from '../../platform/http/errors.ts'
import type { Checked } from '../../platform/http/validation.ts'
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
  readonly text: string | null | undefined
  readonly except?: number
}

/** Checks a name that an object is to have. That it is free may change until it is written. */
export async function checkName(
  db: Db,
  { kind, domain, text, except }: WantedName,
): Promise<{ readonly value: string } | { readonly problem: Message }> {
  if (text == null) return { problem: message('validation.required') }
  const name = canonicalName(text)
  const problem = nameProblem(kind, name)
  if (problem !== undefined) return { problem }
  const isTaken = domain !== undefined && (await isNameTaken(db, kind, domain, name, except))
  return isTaken ? { problem: message('directory.nameexists') } : { value: name }
}

/** The new name that a change of an object asks for; absent from the input: none. */
export async function checkNewName(
  db: Db,
  { kind, domain, id }: DirectoryObject,
  text: string | null | undefined,
): Promise<Checked<string | undefined>> {
  if (text === undefined) return { value: undefined }
  return atName(await checkName(db, { kind, domain, text, except: id }))
}

/** Tells what is wrong with a name at the field of that name. */
export function atName(name: Awaited<ReturnType<typeof checkName>>): Checked<string> {
  return 'problem' in name ? { errors: { name: [name.problem] } } : name
}
