import type { Pool } from 'pg'

interface Table {
  readonly name: string
  readonly columns: readonly Column[]
}

interface Column {
  readonly name: string
  readonly type: string
  readonly isRequired: boolean
  readonly hasDefault: boolean
  /** Only the database writes it. */
  readonly isComputed: boolean
  readonly checks: readonly string[]
}

/** Tables and views, with their columns in order and single-column checks. */
const tablesOfDatabase = `select c.relname as name, json_agg(json_build_object(
      'name', a.attname,
      'type', t.typname,
      'isRequired', a.attnotnull,
      'hasDefault', a.atthasdef or a.attidentity <> '',
      'isComputed', a.attgenerated <> '' or a.attidentity = 'a',
      'checks', array(select pg_get_constraintdef(k.oid) from pg_constraint k
        where k.conrelid = c.oid and k.contype = 'c' and k.conkey = array[a.attnum] order by k.conname)
    ) order by a.attnum) as columns
  from pg_class c
    join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    join pg_type t on t.oid = a.atttypid
  where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'v') and not c.relispartition
    and c.relname not like 'kysely\\_%'
  group by c.oid
  order by c.relname collate "C"`

/** How the driver reads each PostgreSQL type; see `platform/db/database.ts`. */
const types: Readonly<Record<string, string>> = {
  bool: 'boolean',
  bytea: 'Buffer',
  date: 'string',
  float8: 'number',
  int2: 'number',
  int4: 'number',
  int8: 'number',
  numeric: 'string',
  text: 'string',
  timestamptz: 'Date',
  uuid: 'string',
}

const head = `// Generated from the schema.sql of the rooms; \`npm test -- row-types -u\` writes it again.
// What the schema can't express is in schema.ts.
import type { Generated } from 'kysely'
import type { Computed, Created, Json, JsonOrNull } from './column-types.ts'

`

/** Returns the row types of all tables and views as unformatted TypeScript. */
export async function rowTypes(pool: Pool): Promise<string> {
  const { rows } = await pool.query<Table>(tablesOfDatabase)
  const texts = rows.map(({ name, columns }) => {
    const lines = columns.map((column) => `${camelCase(column.name)}: ${typeOf(column)}\n`)
    return `${camelCase(name)}: {\n${lines.join('')}}\n`
  })
  return `${head}export interface Tables {\n${texts.join('')}}\n`
}

function typeOf(column: Column): string {
  // the contents of JSON, and whether inserts may omit it, are in schema.ts
  if (column.type === 'jsonb') return column.isRequired ? 'Json<unknown>' : 'JsonOrNull<unknown>'
  const value = unionOf(column) ?? scalarOf(column)
  const type = column.isRequired ? value : `${value} | null`
  if (column.isComputed) return `Computed<${type}>`
  if (column.hasDefault) return `Generated<${type}>`
  return column.name === 'created_at' ? 'Created' : type
}

/** Returns `'a' | 'b'` for a column checked to be one of these texts. */
function unionOf({ name, checks }: Column): string | undefined {
  const isOneOf = new RegExp(
    `^CHECK \\(\\("?${name}"? = (?:ANY \\(ARRAY\\[)?('[^\\]]*'::text)(?:\\]\\))?\\)\\)$`,
  )
  const values = checks.flatMap((check) => isOneOf.exec(check)?.[1] ?? [])[0]
  return values?.replaceAll('::text', '').replaceAll(', ', ' | ')
}

function scalarOf({ name, type }: Column): string {
  const known = types[type.replace(/^_/, '')]
  if (known === undefined) throw new Error(`column ${name}: add ${type} to the types of ${import.meta.url}`)
  return type.startsWith('_') ? `${known}[]` : known
}

function camelCase(name: string): string {
  return name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase())
}
