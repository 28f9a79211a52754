import { z } from 'zod'

const yesOrNo = z
  .enum(['0', '1', 'true', 'false', 'on', 'off', 'yes', 'no'])
  .transform((value) => ['1', 'true', 'on', 'yes'].includes(value))

/** Settings of companion devices. */
export const companionSettings = {
  PUSH_TO_PRIVATE: yesOrNo
    .default(false)
    .describe(
      'Push messages may go to addresses of this machine and of private networks, and without encryption; for tests',
    ),
}
