import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { useTestApp } from '../../testing/test-app.ts'
import { anyRow, columnArray, rowsFrom, runPrepared } from './prepared.ts'

const app = useTestApp()
let connection: pg.Pool

beforeAll(() => {
  connection = new pg.Pool({ ...app().database.pool.options, max: 1 })
})

afterAll(() => connection.end())

const numbers = {
  name: 'numbers-with-names',
  text: `select q.n, q.name from ${rowsFrom(['integer', 'text'], 2)} as q(n, name)
    where ${anyRow('from users u where u.id <> q.n')} = $1 order by q.n`,
}

test('the rows of columns are those that were sent', async () => {
  const names = ['plain', null, '{"a", b\\}', '']
  const rows = await runPrepared(connection, numbers, [
    false,
    columnArray(names, (_, index) => index),
    columnArray(names, (name) => name),
  ])
  expect(rows).toEqual(names.map((name, n) => ({ n, name })))
})

test('a statement for few rows keeps its plan', async () => {
  for (let count = 0; count < 10; count++) await runPrepared(connection, numbers, [false, '{1}', '{one}'])
  const { rows } = await connection.query(
    'select generic_plans > 3 as "isKept" from pg_prepared_statements where name = $1',
    [numbers.name],
  )
  expect(rows).toEqual([{ isKept: true }])
})

test('whether there is a row is looked up for each row, not in a list of the whole table', async () => {
  const planOf = async (condition: string) => {
    const { rows } = await connection.query<{ 'QUERY PLAN': string }>(
      `explain (verbose) select ${condition} from generate_series(1, 100000) as q(id)`,
    )
    return rows.map((row) => row['QUERY PLAN']).join('\n')
  }
  expect(await planOf('exists (select from users u where u.id = q.id)')).toContain('hashed')
  expect(await planOf(anyRow('from users u where u.id = q.id'))).not.toContain('hashed')
})
