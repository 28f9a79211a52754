import { z } from 'zod'
import { flag } from '../../platform/settings/setting-kinds.ts'

/** Settings of companion devices. */
export const companionSettings = {
  PUSH_TO_PRIVATE: flag(false).describe(
    'Push messages may go to addresses of this machine and of private networks, and without encryption; for tests',
  ),
}

const parsedSettings = z.object(companionSettings)

export type CompanionSettings = z.infer<typeof parsedSettings>
