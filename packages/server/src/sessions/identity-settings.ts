import { z } from 'zod'

const secondFactor = z.enum(['optional', 'required']).default('optional')

/** Settings of how people prove who they are. */
export const identitySettings = {
  SECOND_FACTOR_POLICY: secondFactor.describe(
    'Whether everybody has to have a second factor; accounts may require it of their users, never the reverse',
  ),
  STAFF_SECOND_FACTOR: secondFactor.describe('The same for admins and resellers'),
  SESSION_LIFETIME: z
    .string()
    .regex(/^\d+$/, 'must be a whole number')
    .transform(Number)
    .pipe(z.number().max(3650))
    .default(90)
    .describe(
      'Days after which a session ends and the user signs in again, however much it is used; 0: no such end; sessions of companion devices have none',
    ),
}
