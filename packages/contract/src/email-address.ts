import { z } from 'zod'
import { canonicalAddress } from './canonical-address.ts'

const atom = "[a-z0-9!#$%&'*+/=?^_`{|}~-]+"
const label = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?'
const pattern = new RegExp(`^${atom}(?:\\.${atom})*@(?:${label}\\.)+(?!\\d+$)${label}$`)

/**
 * A mail address as it is stored and compared: lower case, Unicode NFC, the domain in ASCII (IDNA). Every address that
 * comes in is read with this, so that `jane@münchen.example` and its punycode form are the same person.
 */
export const emailAddress = z.string().max(191).overwrite(canonicalAddress).check(z.email({ pattern }))

/** The name that somebody signs in with: an address in its canonical form, or whatever else was typed. */
export const loginName = z.string().min(3).max(512).overwrite(canonicalAddress)
