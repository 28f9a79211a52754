import { cutNickname } from '@gatehouse/contract/meetings/meet-rules'

/** What the portal takes in no name: control characters, and what turns the direction of the text around it. */
const unseen = /[\p{Cc}\p{Cs}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu

/** A name as the portal takes it. Nobody types what is left out; it comes along when a name is pasted. */
export function plainName(typed: string): string {
  return cutNickname(typed.replace(unseen, ' ').replace(/ {2,}/g, ' ').trim()).trimEnd()
}
