import { cutNickname } from '@gatehouse/contract/meetings/meet-rules'

/**
 * Characters the portal rejects in names: control characters and those that change the direction of
 * surrounding text.
 */
const unseen = /[\p{Cc}\p{Cs}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu

/** Returns a name the portal accepts. The removed characters are never typed, but may be pasted. */
export function plainName(typed: string): string {
  return cutNickname(typed.replace(unseen, ' ').replace(/ {2,}/g, ' ').trim()).trimEnd()
}
