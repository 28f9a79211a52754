import { z } from 'zod'

const number = (fallback: number, min: number, max: number) =>
  z
    .string()
    .regex(/^\d+$/, 'must be a whole number')
    .transform(Number)
    .pipe(z.number().min(min).max(max))
    .default(fallback)

const relays = z
  .string()
  .transform((value) => value.split(/[,\s]+/).filter((part) => part !== ''))
  .refine((urls) => urls.every((url) => /^turns?:[\w.:[\]-]+(\?transport=(udp|tcp))?$/.test(url)), {
    error: 'must be addresses that start with turn: or turns:',
  })

/** Settings of video meetings. */
export const meetSettings = {
  MEET_MAX_PARTICIPANTS: number(100, 2, 1000).describe(
    'People in one meeting at most; owners come in all the same',
  ),
  MEET_EMPTY_SECONDS: number(30, 5, 86_400).describe(
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
  MEET_TURN_URLS: relays
    .default([])
    .describe('TURN relays for browsers behind strict networks, such as turn:turn.example.org?transport=tcp'),
  MEET_TURN_SECRET: z
    .string()
    .min(16, 'must have at least 16 characters')
    .optional()
    .describe('Secret that the relays share (static-auth-secret of coturn); needed with `MEET_TURN_URLS`'),
}

const parsedSettings = z.object(meetSettings)

/** The settings of meetings as the code takes them. */
export type MeetSettings = z.infer<typeof parsedSettings>

/** What contradicts itself in the settings, as `SETTING: sentence`; undefined: nothing does. */
export function meetSettingsProblem(value: MeetSettings): string | undefined {
  if (value.MEET_TURN_URLS.length > 0 && value.MEET_TURN_SECRET === undefined) {
    return 'MEET_TURN_SECRET: MEET_TURN_URLS is set and needs it'
  }
  return undefined
}
