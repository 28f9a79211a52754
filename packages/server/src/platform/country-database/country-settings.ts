import { z } from 'zod'

const yesOrNo = z
  .enum(['0', '1', 'true', 'false', 'on', 'off', 'yes', 'no'])
  .transform((value) => ['1', 'true', 'on', 'yes'].includes(value))

/** Settings of the database that maps network addresses to countries. */
export const countrySettings = {
  GEO_DATABASE: z
    .string()
    .min(1)
    .optional()
    .describe(
      'File or `https://` address of a country database (MMDB) that is fetched every night. If not set: the bundled database',
    ),
  GEO_DATABASE_DAYS: z
    .string()
    .regex(/^\d+$/, 'must be a whole number')
    .transform(Number)
    .pipe(z.number().min(1).max(3650))
    .default(180)
    .describe('Age in days from which the country database is reported as outdated in health'),
  GEO_DATABASE_PRIVATE: yesOrNo
    .default(false)
    .describe(
      'Allow the address in `GEO_DATABASE` to be on this machine or in a private network, and to begin with `http://`',
    ),
}

export type CountrySettings = z.infer<z.ZodObject<typeof countrySettings>>

/** Returns a contradiction between settings as `SETTING: sentence`; undefined if there is none. */
export function countrySettingsProblem(value: CountrySettings): string | undefined {
  const isPlain = value.GEO_DATABASE?.startsWith('http://') === true && !value.GEO_DATABASE_PRIVATE
  return isPlain
    ? 'GEO_DATABASE: must be a file or an address that starts with https://, unless GEO_DATABASE_PRIVATE is 1'
    : undefined
}
