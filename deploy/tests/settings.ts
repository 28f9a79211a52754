import { engineHostSettings } from '@gatehouse/media/media-settings'
import { z } from 'zod'
import { settings } from '../../packages/server/src/main/settings/config.ts'
import { checkStart } from '../../packages/server/src/main/settings/start-check.ts'

type Given = Readonly<Record<string, string>>

/** What a portal would say about these settings when it starts, and the names that it doesn't know. */
export function problemsOfPortal(given: Given): string[] {
  const { refusals, warnings } = checkStart(given)
  return [...refusals, ...warnings, ...unknown(given, settings.shape)]
}

/** The same for a host of media engines. */
export function problemsOfMediaHost(given: Given): string[] {
  const { error } = z.object(engineHostSettings).safeParse(given)
  return [
    ...(error?.issues ?? []).map(({ path, message }) => `${path.join('.')}: ${message}`),
    ...unknown(given, engineHostSettings),
  ]
}

function unknown(given: Given, known: object): string[] {
  return Object.keys(given)
    .filter((name) => !(name in known))
    .map((name) => `${name}: unknown`)
}
