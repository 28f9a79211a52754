import { canonicalAddress } from '@gatehouse/contract/canonical-address'
import {
  type AccountDocument,
  accountDocument,
  maxStateObjects,
  type objectKinds,
  type StateKind,
  stateKinds,
} from '@gatehouse/contract/directory/plans'
import { lmtpAlias } from '../../directory/folders/folder-aliases.ts'
import { senderEntry } from '../../directory/groups/sender-policy.ts'
import { canonicalName } from '../../directory/objects/object-name.ts'
import { message } from '../../platform/http/errors.ts'
import { describe } from '../../platform/http/validation.ts'
import { normaliseDomain } from '../../users/addresses/domain-name.ts'
import { parseEmailAddress } from '../../users/addresses/email-address.ts'
import { placeKey, policyKey, type Values } from './account-state.ts'
import { Problems } from './problems.ts'

/** An object that a document describes, with values in the form of the present state. */
export interface WantedObject {
  readonly kind: StateKind
  /** Where it is in the document. */
  readonly path: string
  readonly key: string
  readonly label: string
  readonly values: Values
}

/** A document whose form is valid. */
export interface WantedState {
  readonly objects: readonly WantedObject[]
  /** Kinds whose other objects are deleted. */
  readonly complete: ReadonlySet<StateKind>
}

/** Reads a document. Throws ValidationError with the path of each error. */
export function readDocument(input: Readonly<Record<string, unknown>>): WantedState {
  const problems = new Problems()
  const parsed = accountDocument.safeParse(input, { reportInput: true })
  if (!parsed.success) {
    for (const issue of parsed.error.issues) {
      const path = issue.path.map(String)
      const keys = issue.code === 'unrecognized_keys' ? issue.keys : undefined
      if (keys === undefined) problems.add(path.join('.') || 'document', describe(issue))
      for (const key of keys ?? []) {
        problems.add([...path, key].join('.'), message('desired-state.unknown-field'))
      }
    }
    problems.require()
    throw new RangeError('an invalid document has no errors')
  }
  const document = parsed.data
  const objects = stateKinds.flatMap((kind) => wantedOf(document, kind))
  if (objects.length > maxStateObjects) {
    problems.add('document', message('desired-state.too-many-objects', { max: maxStateObjects }))
    problems.require()
  }
  for (const kind of document.complete ?? []) {
    if (document[kind] === undefined) problems.add(kind, message('desired-state.complete-without-list'))
  }
  refuseRepetitions(objects, problems)
  problems.require()
  return { objects, complete: new Set(document.complete ?? []) }
}

function refuseRepetitions(objects: readonly WantedObject[], problems: Problems): void {
  const seen = new Map<string, string>()
  for (const { kind, key, path } of objects) {
    const first = seen.get(`${kind} ${key}`)
    if (first === undefined) seen.set(`${kind} ${key}`, path)
    else problems.add(path, message('desired-state.twice', { path: first }))
  }
}

function wantedOf(document: AccountDocument, kind: StateKind): WantedObject[] {
  if (kind === 'policies') {
    const { policies } = document
    if (policies === undefined) return []
    return [
      { kind, path: kind, key: policyKey, label: policyKey, values: canonical(kind, defined(policies)) },
    ]
  }
  return (document[kind] ?? []).map((sent, index) => {
    const values = canonical(kind, defined(sent))
    return { kind, path: `${kind}.${index}`, ...identity(kind, values), values }
  })
}

function defined(values: Values): Values {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined))
}

/** An empty text if there is none. */
function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

/** Rooms without a name are identified by their description; others with the same one are different rooms. */
function identity(kind: (typeof objectKinds)[number], values: Values): { key: string; label: string } {
  const text = (name: string) => textOf(values[name])
  switch (kind) {
    case 'domains':
      return { key: text('name'), label: text('name') }
    case 'users':
    case 'lists':
      return { key: text('email'), label: text('email') }
    case 'resources':
    case 'folders':
      return {
        key: placeKey(text('name'), text('domain')),
        label: `${text('name')} (${text('domain')})`,
      }
    case 'rooms': {
      const key =
        values.name === undefined ? `description ${text('description')}` : text('name').toLowerCase()
      return { key, label: text('description') || text('name') }
    }
  }
}

/** Returns values in the form in which they are stored. What can't be stored stays as it is, for the rules. */
function canonical(kind: StateKind, values: Values): Values {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, canonicalValue(kind, name, value, values)]),
  )
}

function canonicalValue(kind: StateKind, name: string, value: unknown, all: Values): unknown {
  const change = changes[`${kind}.${name}`] ?? changes[name]
  if (Array.isArray(value)) {
    const texts = value.filter((item): item is string => typeof item === 'string')
    return [...new Set(texts.map((item) => change?.(item, all) ?? item))]
  }
  if (typeof value === 'string') return change?.(value, all) ?? value
  if (name === 'settings' && typeof value === 'object' && value !== null) {
    return canonical(kind, defined(value as Values)) // checked by the schema
  }
  // 0 removes the limit
  return name === 'max_password_age' && value === 0 ? null : value
}

type Change = (text: string, all: Values) => string

const domain: Change = (text) => normaliseDomain(text) ?? text
const upper: Change = (text) => text.toUpperCase()
const rule: Change = (text) => {
  const [identifier = '', ...rest] = text.split(',').map((part) => part.trim().toLowerCase())
  return [identifier === 'anyone' ? identifier : canonicalAddress(identifier), ...rest].join(', ')
}

/** By field, or by kind and field. */
const changes: Readonly<Record<string, Change>> = {
  email: canonicalAddress,
  external_email: (text) => text,
  'users.aliases': canonicalAddress,
  'folders.aliases': folderAlias,
  members: (text) => parseEmailAddress(text)?.full ?? text,
  moderators: canonicalAddress,
  sender_policy: (text) => senderEntry(text) ?? text,
  'domains.name': domain,
  'rooms.name': (text) => text,
  name: canonicalName,
  domain,
  spf_whitelist: (text) => text.toLowerCase().replace(/\.+$/, ''),
  externalsender_policy_domains: domain,
  country: upper,
  currency: upper,
  limit_geo: upper,
  acl: rule,
  invitation_policy: (text) => text.toLowerCase().replace(/^manual\s*:\s*/, 'manual:'),
}

/** The address derived from the folder's name keeps its case. */
function folderAlias(text: string, all: Values): string {
  const folder = { name: textOf(all.name), domain: textOf(all.domain) }
  const name = { ...folder, name: canonicalName(folder.name), domain: domain(folder.domain, all) }
  const byName = lmtpAlias(name)
  const at = text.lastIndexOf('@')
  const typed = `${text.slice(0, at).normalize('NFC')}${text.slice(at).toLowerCase()}`
  return typed === byName ? byName : canonicalAddress(text)
}
