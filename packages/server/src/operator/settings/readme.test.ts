import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { settings } from './config.ts'

const readme = new URL('../../../../../README.md', import.meta.url)

test.each(Object.entries(settings.shape))(
  'the README explains the setting %s as the code does',
  async (name, schema) => {
    const row = (await readFile(readme, 'utf8'))
      .split('\n')
      .find((line) => line.startsWith(`| \`${name}\` |`))
    expect(row).toContain(schema.description)
  },
)
