import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const folder = join(import.meta.dirname, 'migrations')

/** Statements that keep a large table from being used while they read or write all of it. */
const blocking: Readonly<Record<string, RegExp>> = {
  'create index without concurrently': /\bcreate (?:unique )?index (?!concurrently)\S+ on (\w+)/g,
  'change the type of a column': /\balter table (\w+)\s+alter (?:column )?\w+ (?:set data )?type\b/g,
  'set not null': /\balter table (\w+)\s+alter (?:column )?\w+ set not null\b/g,
  'add a column with a volatile default':
    /\balter table (\w+)\s+add (?:column )?[^;]*default (?:clock_timestamp|gen_random_uuid|random|nextval)/g,
  'add a generated column': /\balter table (\w+)\s+add (?:column )?[^;]*generated always as \(/g,
  'add a constraint that is checked at once':
    /\balter table (\w+)\s+add (?:constraint \w+ )?(?:check|foreign key|unique|primary key)(?![^;]*not valid)/g,
  'change all rows': /\bupdate (\w+) (?:\w+ )?set\b/g,
}

/** Versions before 0.3.0 were upgraded with all processes stopped, so these blocked nobody. */
const beforeOnlineMigrations = [
  '0101-dashboards.sql: add a constraint that is checked at once: daily_stats',
  '0101-dashboards.sql: create index without concurrently: users',
  '0102-search-by-any-part.sql: add a generated column: domains',
  '0102-search-by-any-part.sql: add a generated column: rooms',
  '0102-search-by-any-part.sql: change all rows: directory_objects',
  '0102-search-by-any-part.sql: change all rows: users',
  '0102-search-by-any-part.sql: create index without concurrently: directory_objects',
  '0102-search-by-any-part.sql: create index without concurrently: domains',
  '0102-search-by-any-part.sql: create index without concurrently: user_settings',
  '0102-search-by-any-part.sql: create index without concurrently: users',
  '0110-mail-views.sql: create index without concurrently: addresses',
  '0110-mail-views.sql: create index without concurrently: directory_objects',
  '0118-mailbox-quota.sql: create index without concurrently: mailbox_usage',
  '0120-open-sessions-and-folder-mail.sql: create index without concurrently: directory_objects',
  '0121-refusals-of-mail-servers.sql: add a constraint that is checked at once: mail_decisions',
  '0122-one-table-of-cancellations.sql: add a constraint that is checked at once: calendar_cancellations',
  '0122-one-table-of-cancellations.sql: create index without concurrently: calendar_cancellations',
]

/** Blocking statements of later migrations, with the reason why each is acceptable. */
const accepted: Readonly<Record<string, string>> = {}

/** Statements inside functions run later; comments never. */
const withoutBodies = (text: string) =>
  text
    .replace(/--.*/g, '')
    .replace(/\$(\w*)\$[\s\S]*?\$\1\$/g, '')
    .replace(/\s+/g, ' ')
    .toLowerCase()

/** Returns the blocking statements on tables that the migration doesn't create itself. */
function blockingIn(file: string, source: string): string[] {
  const text = withoutBodies(source)
  const created = new Set([...text.matchAll(/\bcreate (?:unlogged )?table (\w+)/g)].map(([, name]) => name))
  return Object.entries(blocking).flatMap(([what, pattern]) =>
    [...text.matchAll(pattern)]
      .filter(([, table]) => !created.has(table))
      .map(([, table]) => `${file}: ${what}: ${table}`),
  )
}

test('no migration blocks a table for long, except with a reason', () => {
  const files = readdirSync(folder).filter((file) => file.endsWith('.sql'))
  expect(files.length).toBeGreaterThan(15)
  const found = files.flatMap((file) => blockingIn(file, readFileSync(join(folder, file), 'utf8')))
  expect([...new Set(found)].sort()).toEqual([...beforeOnlineMigrations, ...Object.keys(accepted)].sort())
})

test.each([
  ['create index users_nickname on users (nickname)', 1],
  ['create index concurrently users_nickname on users (nickname)', 0],
  ['create table pets (id integer); create index pets_id on pets (id)', 0],
  ['alter table users alter column id type bigint', 1],
  ['alter table users alter nickname set not null', 1],
  ['alter table users add column seed uuid not null default gen_random_uuid()', 1],
  ["alter table users add column nickname text not null default ''", 0],
  ['alter table users add constraint named check (nickname is not null)', 1],
  ['alter table users add constraint named check (nickname is not null) not valid', 0],
  ["update users set nickname = ''", 1],
])('recognises what blocks: %s', (statement, count) => {
  expect(blockingIn('example', statement)).toHaveLength(count)
})
