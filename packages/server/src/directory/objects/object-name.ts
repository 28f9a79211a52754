import type { Db } from '../../platform/db/database.ts'
import { type Message, message } from '../../platform/http/errors.ts'
import type { Checked } from '../../platform/http/validation.ts'
import type { DirectoryKind, DirectoryObject } from './object.ts'
import { isNameTaken } from './object-store.ts'

/** Maximum bytes of a name. Together with the domain it forms a path in the mail store. */
const longest = 191

/** Characters with a special meaning in mail stores and shells; reference api-objects §7.5. */
const special = /[+/^%*!`@(){}|\\?<;"]/
/** A single line without control characters or characters that change text direction. */
const plain = /^[^\p{Cc}\p{Cs}\u2028\u2029\u202a-\u202e\u2066-\u2069]*$/u

/** Returns a name in its stored form, with Unicode normalised. */
export function canonicalName(text: string): string {
  return text.trim().normalize('NFC')
}

/** Returns what is wrong with the format of a name; undefined if it is valid. */
export function nameProblem(kind: DirectoryKind, name: string): Message | undefined {
  if (Buffer.byteLength(name) > longest) return message('directory.name-too-long', { max: longest })
  if (!plain.test(name)) return message('directory.nameinvalid')
  if (kind === 'group') return undefined
  if (kind === 'resource') return special.test(name) ? message('directory.nameinvalid') : undefined
  return isFolderName(name) ? undefined : message('directory.nameinvalid')
}

/** Subfolders are separated by slashes. The folder reserved for resources is rejected. */
function isFolderName(name: string): boolean {
  const parts = name.split('/')
  const isPart = (part: string) =>
    part !== '' && part !== '.' && part !== '..' && part.trim() === part && !special.test(part)
  return parts.every(isPart) && parts[0]?.toLowerCase() !== 'resources'
}

/** A requested name; `except` is the object that already has it. */
export interface WantedName {
  readonly kind: DirectoryKind
  /** Undefined: the domain is invalid, so the name's availability is unknown. */
  readonly domain: string | undefined
  readonly text: string | null | undefined
  readonly except?: number
}

/** Validates a requested name. Its availability may change until it is written. */
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

/** Validates the new name in an update. Undefined if the input has none. */
export async function checkNewName(
  db: Db,
  { kind, domain, id }: DirectoryObject,
  text: string | null | undefined,
): Promise<Checked<string | undefined>> {
  if (text === undefined) return { value: undefined }
  return atName(await checkName(db, { kind, domain, text, except: id }))
}

/** Reports an error of a name at its field. */
export function atName(name: Awaited<ReturnType<typeof checkName>>): Checked<string> {
  return 'problem' in name ? { errors: { name: [name.problem] } } : name
}
