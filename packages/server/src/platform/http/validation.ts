import { z } from 'zod'
import { type FieldMessages, type Message, message, ValidationError } from './errors.ts'

type Issue = z.core.$ZodIssue

/** Errors of an input, by field. */
export type Errors = Readonly<Record<string, FieldMessages>>

/**
 * Result of a rule: a value, or errors. With neither, the schema has rejected a field that the value depends
 * on.
 */
export type Checked<T> = { readonly value: T } | { readonly errors: Errors }

/** Fields as parsed by the schema; those it rejected are absent. */
export type Accepted<Body> = Readonly<Partial<Body>>

/**
 * Rules that a schema can't express, such as whether a name is available. They also check permissions that
 * depend on the input; `refused` contains the sent fields that the schema rejects.
 */
export type Rules<Body, T> = (
  fields: Accepted<Body>,
  refused: ReadonlySet<string>,
) => Checked<T> | Promise<Checked<T>>

/**
 * Reads the input of a call: by its schema alone, or by the schema and rules. Throws ValidationError with the
 * errors of both. `own` overrides the schema's message for a field that was sent.
 */
export interface Read<Body> {
  <T>(rules: Rules<Body, T>, own?: Errors): Promise<Accepting<Body, T>>
  (): Body
}

interface Accepting<Body, T> {
  readonly body: Body
  /** The result of the rules. */
  readonly found: T
}

type Input = Readonly<Record<string, unknown>>

/** Creates a reader for a schema of the contract. `input` is called when reading. */
export function reader<S extends z.ZodObject>(schema: S, input: () => Input): Read<z.output<S>> {
  return readerOf(() => parse(schema, input()))
}

/** Creates a reader for entries that rules validate individually; any key and value is accepted. */
export function entriesReader(input: () => Input): Read<Input> {
  return readerOf(() => {
    const entries = input()
    return { body: entries, fields: entries, refused: new Set(), wrong: {} }
  })
}

/** Parses input with a schema of the contract. Throws ValidationError. */
export function validate<S extends z.ZodObject>(schema: S, input: Input): z.output<S> {
  return acceptedBody(parse(schema, input))
}

function readerOf<Body>(parsed: () => Parsed<Body>): Read<Body> {
  function read<T>(rules: Rules<Body, T>, own?: Errors): Promise<Accepting<Body, T>>
  function read(): Body
  function read<T>(rules?: Rules<Body, T>, own?: Errors) {
    return rules === undefined ? acceptedBody(parsed()) : applyRules(parsed(), rules, own)
  }
  return read
}

/** Result of parsing an input with a schema. */
interface Parsed<Body> {
  /** Absent: the schema rejects some of the fields. */
  readonly body?: Body
  readonly fields: Accepted<Body>
  /** Sent fields that the schema rejects. */
  readonly refused: ReadonlySet<string>
  readonly wrong: Errors
}

function acceptedBody<Body>({ body, wrong }: Parsed<Body>): Body {
  if (body === undefined) throw new ValidationError(wrong)
  return body
}

/**
 * The only place where errors of schema and rules are merged. For the same field, the schema's take
 * precedence.
 */
async function applyRules<Body, T>(
  { body, fields, refused, wrong }: Parsed<Body>,
  rules: Rules<Body, T>,
  own: Errors = {},
): Promise<Accepting<Body, T>> {
  const checked = await rules(fields, refused)
  if (body !== undefined && 'value' in checked) return { body, found: checked.value }
  const replaced = Object.entries(own).filter(([field]) => refused.has(field))
  const errors = { ...errorsIn(checked), ...wrong, ...Object.fromEntries(replaced) }
  if (isEmpty(errors)) throw new RangeError('validation failed without an error message')
  throw new ValidationError(errors)
}

/** Parses an input, field by field if the schema rejects it as a whole. */
export function parse<S extends z.ZodObject>(schema: S, input: Input): Parsed<z.output<S>> {
  const { success, data, error } = schema.safeParse(input, { reportInput: true })
  if (success) return { body: data, fields: data, refused: new Set(), wrong: {} }
  const wrong = fieldMessages(error.issues)
  const { shape } = schema
  const names = new Set([...Object.keys(shape), ...Object.keys(input)])
  const fields = [...names].flatMap((name) => {
    const field = Object.hasOwn(shape, name) ? shape[name] : schema.def.catchall
    if (field === undefined || Object.hasOwn(wrong, name)) return []
    const value = z.safeParse(field, input[name]).data
    return value === undefined ? [] : [[name, value]]
  })
  return {
    // each was parsed by the schema of its name
    fields: Object.fromEntries(fields) as Accepted<z.output<S>>,
    refused: new Set(Object.keys(wrong).filter((field) => !isAbsent(input[field]))),
    wrong,
  }
}

/** Returns the values of several rules, or the errors of all of them after `errors`. */
export function together<T extends Readonly<Record<string, unknown>>>(
  errors: Errors,
  parts: { readonly [K in keyof T]: Checked<T[K]> },
): Checked<T> {
  const checked = Object.entries<Checked<unknown>>(parts)
  const wrong = checked.filter(([, part]) => 'errors' in part)
  if (wrong.length === 0 && isEmpty(errors)) {
    // the values of the parts by name
    return { value: Object.fromEntries(checked.map(([name, part]) => [name, valueIn(part)])) as T }
  }
  return { errors: Object.assign({ ...errors }, ...wrong.map(([, part]) => errorsIn(part))) as Errors }
}

/** Returns a value unless there are errors. */
export function unless<T>(errors: Errors, value: T): Checked<T> {
  return isEmpty(errors) ? { value } : { errors }
}

/** Returns the value of a rule; undefined if it has errors. */
export function valueIn<T>(checked: Checked<T>): T | undefined {
  return 'value' in checked ? checked.value : undefined
}

export function errorsIn(checked: Checked<unknown>): Errors {
  return 'errors' in checked ? checked.errors : {}
}

function isEmpty(errors: Errors): boolean {
  return Object.keys(errors).length === 0
}

function fieldMessages(issues: readonly Issue[]): Record<string, FieldMessages> {
  const plain = new Map<string, Message[]>()
  const indexed = new Map<string, Map<number, Message>>()
  const wrongKind = new Set(
    issues.filter((issue) => issue.code === 'invalid_type').map((issue) => issue.path.join()),
  )
  for (const issue of issues) {
    // a value of the wrong type is not reported as too long or too short too
    if (issue.code !== 'invalid_type' && wrongKind.has(issue.path.join())) continue
    const [field, index] = issue.path
    const name = String(field ?? 'input')
    if (typeof index === 'number') {
      const rows = indexed.get(name) ?? new Map<number, Message>()
      if (!rows.has(index)) rows.set(index, describe(issue))
      indexed.set(name, rows)
    } else {
      plain.set(name, [...(plain.get(name) ?? []), describe(issue)])
    }
  }
  return Object.fromEntries<FieldMessages>([...indexed, ...plain])
}

/** Returns the text of an error that a schema found. */
export function describe(issue: Issue): Message {
  switch (issue.code) {
    case 'invalid_type':
      return isAbsent(issue.input) ? message('validation.required') : wrongType(issue.expected)
    case 'invalid_union':
      return isAbsent(issue.input) ? message('validation.required') : message('validation.invalid')
    case 'too_small':
      if (isOfNumbers(issue)) return message('validation.min-number', { min: Number(issue.minimum) })
      return message('validation.min', { min: Number(issue.minimum) })
    case 'too_big':
      if (isOfNumbers(issue)) return message('validation.max-number', { max: Number(issue.maximum) })
      return message(issue.origin === 'array' ? 'validation.max-entries' : 'validation.max', {
        max: Number(issue.maximum),
      })
    case 'invalid_format':
      if (issue.format === 'url') return message('validation.url')
      return issue.format === 'email' ? message('validation.email') : message('validation.invalidvalue')
    default:
      return message('validation.invalid')
  }
}

function isOfNumbers({ origin }: { readonly origin: string }): boolean {
  return origin === 'number' || origin === 'int'
}

function isAbsent(value: unknown): boolean {
  return value === undefined || value === null
}

function wrongType(expected: string): Message {
  switch (expected) {
    case 'string':
      return message('validation.string')
    case 'number':
    case 'int':
      return message('validation.integer')
    case 'boolean':
      return message('validation.boolean')
    case 'array':
      return message('validation.array')
    default:
      return message('validation.invalid')
  }
}
