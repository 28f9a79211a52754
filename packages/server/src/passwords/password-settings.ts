import { z } from 'zod'

const passwordPolicy = z
  .string()
  .regex(
    /^((min|max|last):\d{1,4}|lower|upper|digit|special)(,((min|max|last):\d{1,4}|lower|upper|digit|special))*$/,
    'must be rules such as min:6,max:255,lower,upper,digit,special,last:3',
  )
  .refine((text) => ruleNumber(text, 'min', 0) <= ruleNumber(text, 'max', Number.POSITIVE_INFINITY), {
    error: 'min must not be more than max',
  })

function ruleNumber(policy: string, rule: string, fallback: number): number {
  return Number(policy.match(new RegExp(`${rule}:(\\d+)`))?.[1] ?? fallback)
}

/** Password requirements. */
export const passwordSettings = {
  PASSWORD_POLICY: passwordPolicy
    .default('min:6,max:255')
    .describe('Password policy of the system, the minimum for all accounts'),
}

const parsedSettings = z.object(passwordSettings)

export type PasswordSettings = z.infer<typeof parsedSettings>
