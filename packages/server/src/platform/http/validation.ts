import { z } from 'zod'
import { type FieldMessages, type Message, message, ValidationError } from './errors.ts'

type Issue = z.core.$ZodIssue

/** What is wrong with an input, by field. */
export type Errors = Readonly<Record<string, FieldMessages>>

/**
 * What a rule makes of the fields of an input: a value, or what is wrong with them. Without any error the schema has
 * refused a field that the value needs.
 */
export type Checked<T> = { readonly value: T } | { readonly errors: Errors }

/** Fields as the schema parsed them; those with an error of the schema are absent. */
export type Accepted<Body> = Readonly<Partial<Body>>

/**
 * Rules that a schema cannot say, such as whether a name is free. They also decide about rights that depend on the input;
 * `refused` names the fields that were sent and that the schema refuses.
 */
export type Rules<Body, T> = (
  fields: Accepted<Body>,
  refused: ReadonlySet<string>,
) => Checked<T> | Promise<Checked<T>>

/**
 * Reads the input of a call: by its schema alone, or by the schema and then rules. Throws ValidationError with the errors of both
 * at once. `own` takes the place of what the schema says about a field that was sent.
 */
export interface Read<Body> {
  <T>(rules: Rules<Body, T>, own?: Errors): Promise<Accepting<Body, T>>
  (): Body
}

interface Accepting<Body, T> {
  readonly body: Body
  /** What the rules made of it. */
  readonly found: T
}

type Input = Readonly<Record<string, unknown>>

/** How an input is read against a schema of the contract. `input` is asked for when it is read. */
export function reader<S extends z.ZodObject>(schema: S, input: () => Input): Read<z.output<S>> {
  return readerOf(() => parse(schema, input()))
}

/** The same for entries that their rules look at one by one: each is accepted, whatever its key and value. */
export function entriesReader(input: () => Input): Read<Input> {
  return readerOf(() => {
    const entries = input()
    return { body: entries, fields: entries, refused: new Set(), wrong: {} }
  })
}

/** Parses input against a schema of the contract. Throws ValidationError. */
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

/** What a schema makes of an input. */
interface Parsed<Body> {
  /** Absent: the schema refuses some of the fields. */
  readonly body?: Body
  readonly fields: Accepted<Body>
  /** Fields that were sent and that the schema refuses. */
  readonly refused: ReadonlySet<string>
  readonly wrong: Errors
}

function acceptedBody<Body>({ body, wrong }: Parsed<Body>): Body {
  if (body === undefined) throw new ValidationError(wrong)
  return body
}

/** The one place where errors of a schema and of rules meet. Those of the schema outrank the others of a field. */
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

/** Parses an input field by field where a schema refuses it as a whole. */
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

/** The values of several rules, or the errors of all, after `errors`. */
export function together<T extends Readonly<Record<string, unknown>>>(
  errors: Errors,
  parts: { readonly [K in keyof T]: Checked<T[K]> },
): Checked<T> {
  const checked = Object.entries<Checked<unknown>>(parts)
  const wrong = checked.filter(([, part]) => 'errors' in part)
  if (wrong.length === 0 && isEmpty(errors)) {
    // the values of the parts by their names
    return { value: Object.fromEntries(checked.map(([name, part]) => [name, valueIn(part)])) as T }
  }
  return { errors: Object.assign({ ...errors }, ...wrong.map(([, part]) => errorsIn(part))) as Errors }
}

/** A value, unless there are errors. */
export function unless<T>(errors: Errors, value: T): Checked<T> {
  return isEmpty(errors) ? { value } : { errors }
}

/** The value of a rule; undefined: it found errors. */
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
    // what is of the wrong type is not too long or too short as well
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

function describe(issue: Issue): Message {
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
