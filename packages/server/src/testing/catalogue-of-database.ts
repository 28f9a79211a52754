import type { Pool } from 'pg'

const ours = `n.nspname in ('public', 'mail') and c.relname not like 'kysely\\_%'`

/** Queries of our schema in PostgreSQL's catalogue, without comments; each returns one text per object. */
const queries: Readonly<Record<string, string>> = {
  relations: `select concat_ws(' ', c.relname, c.relkind, c.relpersistence, c.reloptions::text) as fact
    from pg_class c join pg_namespace n on n.oid = c.relnamespace where ${ours}`,
  columns: `select concat_ws(' ', c.relname, row_number() over (partition by c.oid order by a.attnum), a.attname,
      format_type(a.atttypid, a.atttypmod), case when a.attnotnull then 'not null' end, l.collname, a.attstorage,
      nullif(a.attidentity, ''), nullif(a.attgenerated, ''), pg_get_expr(d.adbin, d.adrelid)) as fact
    from pg_attribute a join pg_class c on c.oid = a.attrelid join pg_namespace n on n.oid = c.relnamespace
      left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
      left join pg_collation l on l.oid = a.attcollation
    where ${ours} and a.attnum > 0 and not a.attisdropped and c.relkind in ('r', 'v', 'm', 'p')`,
  constraints: `select concat_ws(' ', c.relname, k.conname, pg_get_constraintdef(k.oid)) as fact
    from pg_constraint k join pg_class c on c.oid = k.conrelid join pg_namespace n on n.oid = c.relnamespace
    where ${ours}`,
  indexes: `select pg_get_indexdef(i.indexrelid) as fact from pg_index i
      join pg_class c on c.oid = i.indrelid join pg_namespace n on n.oid = c.relnamespace where ${ours}`,
  functions: `select pg_get_functiondef(p.oid) as fact from pg_proc p
      join pg_namespace n on n.oid = p.pronamespace where n.nspname = 'public'`,
  triggers: `select concat_ws(' ', pg_get_triggerdef(t.oid), t.tgenabled) as fact from pg_trigger t
      join pg_class c on c.oid = t.tgrelid join pg_namespace n on n.oid = c.relnamespace
    where ${ours} and not t.tgisinternal`,
  views: `select concat_ws(' ', c.relname, pg_get_viewdef(c.oid)) as fact
    from pg_class c join pg_namespace n on n.oid = c.relnamespace where ${ours} and c.relkind in ('v', 'm')`,
  sequences: `select concat_ws(' ', c.relname, s.seqtypid::regtype, s.seqstart, s.seqincrement, s.seqmin, s.seqmax,
      s.seqcycle) as fact
    from pg_sequence s join pg_class c on c.oid = s.seqrelid join pg_namespace n on n.oid = c.relnamespace
    where ${ours}`,
  migrations: 'select name as fact from kysely_migration',
}

/** Returns a database's schema by kind, sorted, for comparing two databases. */
export async function catalogueOf(pool: Pool): Promise<Record<string, string[]>> {
  const found: Record<string, string[]> = {}
  for (const [kind, query] of Object.entries(queries)) {
    const { rows } = await pool.query<{ fact: string }>(query)
    found[kind] = rows.map(({ fact }) => fact).sort()
  }
  return found
}

/** Returns a checksum of the rows per table, optionally `without` some columns. */
export async function rowsOf(
  pool: Pool,
  without: Readonly<Record<string, readonly string[]>> = {},
): Promise<Record<string, string>> {
  const { rows: tables } = await pool.query<{ name: string }>(
    `select c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where ${ours} and c.relkind = 'r'`,
  )
  const sums: Record<string, string> = {}
  for (const { name } of tables) {
    const columns = without[name]
    const row = columns ? `(to_jsonb(t) - '{${columns.join()}}'::text[])::text` : 't::text'
    const { rows } = await pool.query<{ sum: string | null }>(
      `select count(*) || md5(string_agg(${row}, '|' order by ${row})) as sum from ${name} t`,
    )
    sums[name] = rows[0]?.sum ?? 'empty'
  }
  return sums
}
