import { z } from 'zod'
import { count } from '../../platform/settings/setting-kinds.ts'

/** Settings of API keys. */
export const apiKeySettings = {
  API_KEY_RATE: count(600, 1, 100_000).describe('Requests that an API key may make each minute'),
  API_KEY_MAX_DAYS: count(0, 0, 3650).describe(
    'Most days until a new or rotated API key expires. 0: no limit, and keys may never expire',
  ),
}

const parsedSettings = z.object(apiKeySettings)

export type ApiKeySettings = z.infer<typeof parsedSettings>
