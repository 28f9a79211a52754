import type { z } from 'zod'
import { rooms } from '../rooms.ts'

/** Chapters of the page, in the order in which an installation is set up. */
const order = [
  'Server and site',
  'Features',
  'Hosted domains',
  'Sign-up',
  'Users and passwords',
  'Sessions and second factors',
  'API keys',
  'Webhooks',
  'Exports',
  'Billing and payments',
  'Files',
  'Meetings',
  'OAuth and OpenID Connect',
  'Groupware',
  'Mail server authentication',
  'Mail client discovery',
  'Mail policies',
  'Mail gateway',
  'Pages',
  'Country database',
  'Staff',
  'Backup',
]

type Declared = Readonly<Record<string, z.ZodType>>

/** Returns the rooms' settings by chapter. Unlisted chapters come last. */
function chapters(): readonly (readonly [title: string, settings: Declared])[] {
  const all = new Map<string, Declared>(order.map((title) => [title, {}]))
  for (const room of rooms) {
    if (!('settings' in room)) continue
    for (const [title, settings] of Object.entries<Declared>(room.settings)) {
      all.set(title, { ...all.get(title), ...settings })
    }
  }
  return [...all]
}

/** Renders `docs/SETTINGS.md`: every setting with its default and description. */
export function settingsDocument(): string {
  const parts = chapters().map(([title, settings]) => `## ${title}\n\n${table(settings)}\n`)
  return [
    '# Settings\n',
    'Settings are environment variables. Lists are separated by commas. An empty value counts as not set. With an invalid value, the server does not start and names the setting. Check your settings with `npm run gatehouse -- config:check`. This page is printed by `npm run -s gatehouse -- config:document`.\n',
    ...parts,
  ].join('\n')
}

function table(settings: Declared): string {
  const rows = Object.entries(settings).map(([name, schema]) => {
    const value = spell(schema.safeParse(undefined).data)
    const meaning = schema.description?.replaceAll('|', '\\|') ?? ''
    return `| \`${name}\` | ${value === '' ? '' : `\`${value}\``} | ${meaning} |`
  })
  return ['| Setting | Default | Meaning |', '|---|---|---|', ...rows].join('\n')
}

/** Formats a default as in the environment; empty: none. */
function spell(value: unknown): string {
  if (typeof value === 'boolean') return value ? '1' : '0'
  if (Array.isArray(value)) return value.join(',')
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}
