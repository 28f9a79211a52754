import { z } from 'zod'
import { flag } from '../../platform/settings/setting-kinds.ts'

/** Settings of companion devices. */
export const companionSettings = {
  PUSH_TO_PRIVATE: flag(false).describe(
    'Allow push messages to this machine and private networks, also without encryption. For tests only',
  ),
}

const parsedSettings = z.object(companionSettings)

export type CompanionSettings = z.infer<typeof parsedSettings>
