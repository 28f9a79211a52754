import { z } from 'zod'

const secondFactor = z.enum(['optional', 'required']).default('optional')

/** Settings of how people prove who they are. */
export const identitySettings = {
  SECOND_FACTOR_POLICY: secondFactor.describe(
    'Whether everybody has to have a second factor; accounts may require it of their users, never the reverse',
  ),
  STAFF_SECOND_FACTOR: secondFactor.describe('The same for admins and resellers'),
}
