import { mediaSettings, mediaSettingsProblem } from '@gatehouse/media/media-settings'
import { z } from 'zod'
import { count } from '../platform/settings/setting-kinds.ts'

/** Settings of video meetings. */
export const meetSettings = {
  MEET_MAX_PARTICIPANTS: count(100, 2, 1000).describe(
    'People in one meeting at most; owners come in all the same',
  ),
  MEET_EMPTY_SECONDS: count(30, 5, 86_400).describe(
    'Seconds after which a meeting without anybody in it ends',
  ),
  MEET_NODE_URL: z
    .string()
    .refine((value) => /^https?:\/\/[^/]+$/.test(value), {
      error: 'must be an address that starts with http:// or https:// and has no path',
    })
    .optional()
    .describe(
      'Where other portal processes of this installation reach this one; absent: its `HOST` and `PORT`',
    ),
  ...mediaSettings,
}

const parsedSettings = z.object(meetSettings)

/** The settings of meetings as the code takes them. */
export type MeetSettings = z.infer<typeof parsedSettings>

/** What contradicts itself in the settings, as `SETTING: sentence`; undefined: nothing does. */
export function meetSettingsProblem(value: MeetSettings): string | undefined {
  return mediaSettingsProblem(value)
}
