import { mediaSettings, mediaSettingsProblem } from '@gatehouse/media/media-settings'
import { z } from 'zod'
import { count } from '../platform/settings/setting-kinds.ts'

/** Settings of video meetings. */
export const meetSettings = {
  MEET_MAX_PARTICIPANTS: count(100, 2, 1000).describe(
    'Maximum number of people in a meeting. Owners can always join',
  ),
  MEET_EMPTY_SECONDS: count(30, 5, 86_400).describe('Seconds after which an empty meeting ends'),
  MEET_NODE_URL: z
    .string()
    .refine((value) => /^https?:\/\/[^/]+$/.test(value), {
      error: 'must be an address that starts with http:// or https:// and has no path',
    })
    .optional()
    .describe(
      'Address at which other portal processes of this installation reach this one. If not set: its `HOST` and `PORT`',
    ),
  ...mediaSettings,
}

const parsedSettings = z.object(meetSettings)

/** The parsed settings of meetings. */
export type MeetSettings = z.infer<typeof parsedSettings>

/** Returns a contradiction between settings as `SETTING: sentence`; undefined if there is none. */
export function meetSettingsProblem(value: MeetSettings): string | undefined {
  return mediaSettingsProblem(value)
}
