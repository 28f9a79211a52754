import { z } from 'zod'
import { canonicalAddress } from './canonical-address.ts'

const atom = "[a-z0-9!#$%&'*+/=?^_`{|}~-]+"
const label = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?'
const pattern = new RegExp(`^${atom}(?:\\.${atom})*@(?:${label}\\.)+(?!\\d+$)${label}$`)

/**
 * A mail address as stored and compared: lower case, Unicode NFC, the domain in ASCII (IDNA). Every incoming
 * address is parsed with this, so that `jane@münchen.example` and its Punycode form are the same user.
 */
export const emailAddress = z.string().max(191).overwrite(canonicalAddress).check(z.email({ pattern }))

/** Login name: an address in its canonical form, or any other input. */
export const loginName = z.string().min(3).max(512).overwrite(canonicalAddress)
