import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { message, ValidationError } from './errors.ts'
import { type Checked, entriesReader, reader, together, unless, valueIn } from './validation.ts'

const schema = z.object({
  name: z.string().max(5),
  code: z.string().nullish(),
  aliases: z.array(z.string()).optional(),
})

const taken = message('validation.entryexists')
const required = [message('validation.required')]
const string = [message('validation.string')]

/** Returns the errors of an input, by field. */
async function errorsOf(reading: Promise<unknown>): Promise<unknown> {
  const error = await reading.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  return error instanceof ValidationError ? error.fields : error
}

describe('an input read with rules', () => {
  test('returns its body and the results of the rules', async () => {
    const read = reader(schema, () => ({ name: 'Jane', other: 1 }))
    expect(await read(async ({ name }) => ({ value: name?.length }))).toEqual({
      body: { name: 'Jane' },
      found: 4,
    })
    expect(read()).toEqual({ name: 'Jane' })
  })

  test.each<[string, Record<string, unknown>, object, string[]]>([
    ['all fields where all are right', { name: 'Jane', code: null }, { name: 'Jane', code: null }, []],
    ['no field that the schema refuses', { name: 7, code: 'a' }, { code: 'a' }, ['name']],
    ['no field that is missing, which is not refused', { code: 'a' }, { code: 'a' }, []],
    ['null where the schema takes it', { name: 7, code: null }, { code: null }, ['name']],
    ['no list of which one entry is refused', { name: 'Jane', aliases: [1] }, { name: 'Jane' }, ['aliases']],
    ['no key that the schema does not know', { name: 7, other: 1 }, {}, ['name']],
  ])('passes %s to the rules', async (_, input, fields, refused) => {
    const handed: unknown[] = []
    await errorsOf(
      reader(
        schema,
        () => input,
      )((...given) => {
        handed.push(...given)
        return { value: undefined }
      }),
    )
    expect(handed).toEqual([fields, new Set(refused)])
  })

  test('passes unknown keys to the rules if the schema is loose', async () => {
    const loose = z.looseObject({ name: z.string() })
    const handed: unknown[] = []
    await errorsOf(
      reader(loose, () => ({ name: 1, colour: 'red' }))((fields) => {
        handed.push(fields)
        return { value: undefined }
      }),
    )
    expect(handed).toEqual([{ colour: 'red' }])
  })

  test.each<[string, Record<string, unknown>, Checked<unknown>, object]>([
    ['the schema', { name: 7 }, { value: 1 }, { name: string }],
    ['the rules', { name: 'Jane' }, { errors: { code: taken } }, { code: taken }],
    ['both', { name: 7 }, { errors: { code: taken } }, { code: taken, name: string }],
    ['the schema, for a field of both', { name: 7 }, { errors: { name: taken } }, { name: string }],
    ['the schema, which rules leave to it', {}, { errors: {} }, { name: required }],
  ])('reports the errors of %s', async (_, input, checked, errors) => {
    expect(await errorsOf(reader(schema, () => input)(() => checked))).toEqual(errors)
  })

  test("can override the schema's message for an invalid field, but not for a missing one", async () => {
    const own = { name: taken }
    const rules = () => ({ value: undefined })
    expect(await errorsOf(reader(schema, () => ({ name: 7 }))(rules, own))).toEqual({ name: taken })
    expect(await errorsOf(reader(schema, () => ({ name: null }))(rules, own))).toEqual({ name: required })
  })

  test('is not rejected by a rule without an error', async () => {
    const refusal = await errorsOf(reader(schema, () => ({ name: 'Jane' }))(() => ({ errors: {} })))
    expect(refusal).toBeInstanceOf(RangeError)
  })

  test('passes on errors thrown by a rule, regardless of the schema', async () => {
    const error = new Error('forbidden')
    const refusal = await errorsOf(
      reader(schema, () => ({}))(() => {
        throw error
      }),
    )
    expect(refusal).toBe(error)
  })
})

test('entries are passed to their rules regardless of content', async () => {
  const entries = { colour: 'red', ['__proto__']: 1 }
  const { found } = await entriesReader(() => entries)((given) => ({ value: Object.keys(given) }))
  expect(found).toEqual(['colour', '__proto__'])
})

test('combined rules return all values, or all errors in order', () => {
  const one = unless({}, 1)
  expect(together({}, { one, two: { value: 'b' } })).toEqual({ value: { one: 1, two: 'b' } })
  const wrong = together({ code: taken }, { one, two: unless({ name: taken }, 'b') })
  expect(wrong).toEqual({ errors: { code: taken, name: taken } })
  expect(Object.keys('errors' in wrong ? wrong.errors : {})).toEqual(['code', 'name'])
  expect(valueIn(together({}, { one, two: { errors: {} } }))).toBeUndefined()
})
