/** Limits of a user's filters. Together they stay below the script size of common servers, which is also checked. */
export const filterLimits = {
  rules: 50,
  conditions: 10,
  actions: 5,
  /** Characters of a value, such as a word in the subject. */
  value: 200,
  /** Characters of a text, such as the automatic reply. */
  text: 4000,
  /** Different addresses to forward to. */
  forwards: 4,
  /** Other addresses of the user. */
  addresses: 20,
  /** Bytes of the script. */
  script: 32 * 1024,
} as const

export const textTests = ['contains', 'not-contains', 'is', 'ends-with'] as const

export type TextTest = (typeof textTests)[number]

/** Who gets an automatic reply: everyone, people the user has written to, or only people of the account. */
export const replyAudiences = ['everyone', 'known', 'organisation'] as const

export type ReplyAudience = (typeof replyAudiences)[number]
