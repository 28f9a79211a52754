import { canonicalAddress } from '@gatehouse/contract/canonical-address'
import { z } from 'zod'
import { list } from '../../platform/settings/setting-kinds.ts'
import { defaultRateLimits, type Limits, type RateLimitSettings } from './limits.ts'

/** Four numbers: messages and recipients per hour, messages and recipients per day. */
const limits = (fallback: Limits) =>
  list
    .refine((parts) => parts.length === 4 && parts.every((part) => /^\d{1,7}$/.test(part)), {
      error: 'must be four numbers: messages and recipients per hour, messages and recipients per day',
    })
    .transform((parts) => parts.map(Number))
    .default(numbersOf(fallback))

const { user, account } = defaultRateLimits
const order = 'messages per hour, recipients per hour, messages per day, recipients per day'

/** Settings of the limits on outgoing mail. */
export const rateLimitSettings = {
  RATELIMIT_WHITELIST: list
    .transform((addresses) => addresses.map(canonicalAddress))
    .default([])
    .describe('Addresses that send without limits, such as those of monitoring systems'),
  RATELIMIT_USER_UNPAID: limits(user.unpaid).describe(
    `Limits of a user whose account never paid: ${order}. Mail above a limit is held`,
  ),
  RATELIMIT_USER_PAYING: limits(user.paying).describe(
    'Limits of a user whose account has paid, in the same order',
  ),
  RATELIMIT_ACCOUNT_UNPAID: limits(account.unpaid).describe(
    'Limits of all users together of an account that never paid, in the same order',
  ),
  RATELIMIT_ACCOUNT_PAYING: limits(account.paying).describe(
    'Limits of all users together of an account that has paid, in the same order',
  ),
}

const parsedSettings = z.object(rateLimitSettings)

export type RateLimitConfig = z.infer<typeof parsedSettings>

/** The limits of the installation, as the rule reads them. */
export function rateLimitsOf(config: RateLimitConfig): RateLimitSettings {
  return {
    ...defaultRateLimits,
    user: {
      unpaid: limitsOf(config.RATELIMIT_USER_UNPAID),
      paying: limitsOf(config.RATELIMIT_USER_PAYING),
    },
    account: {
      unpaid: limitsOf(config.RATELIMIT_ACCOUNT_UNPAID),
      paying: limitsOf(config.RATELIMIT_ACCOUNT_PAYING),
    },
  }
}

function limitsOf(numbers: readonly number[]): Limits {
  const [hourMessages = 0, hourRecipients = 0, dayMessages = 0, dayRecipients = 0] = numbers
  return {
    hour: { messages: hourMessages, recipients: hourRecipients },
    day: { messages: dayMessages, recipients: dayRecipients },
  }
}

function numbersOf({ hour, day }: Limits): number[] {
  return [hour.messages, hour.recipients, day.messages, day.recipients]
}
