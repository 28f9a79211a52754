import { z } from 'zod'

/** Which groupware is behind the portal. */
export const backendSettings = {
  GROUPWARE_BACKEND: z
    .enum(['cyrus', 'null'])
    .default('null')
    .describe(
      "Groupware behind the portal. `null`: none; mailboxes don't exist, and pages that depend on them say so",
    ),
}

const parsedSettings = z.object(backendSettings)

export type BackendSettings = z.infer<typeof parsedSettings>
