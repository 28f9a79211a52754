import type { roomConfigInput } from '@gatehouse/contract/meetings/rooms'
import type { z } from 'zod'
import type { Db } from '../../platform/db/database.ts'
import { sentEntries } from '../../platform/http/bodies/text-list.ts'
import { type FieldMessages, type Message, message } from '../../platform/http/errors.ts'
import { domainsByName } from '../../users/addresses/address-store.ts'
import { parseEmailAddress } from '../../users/addresses/email-address.ts'
import type { Room } from './room.ts'
import { type AddressHolders, usersOfTenant } from './room-store.ts'

/** The only right in the API that rooms can be shared with. */
const full = 'full'

/** Formats the moderators of a room for the API: `jane@example.org, full`. */
export function spellModerators(room: Pick<Room, 'moderators'>): string[] {
  return room.moderators.map(({ email }) => `${email}, ${full}`)
}

export type SentModerators = z.output<typeof roomConfigInput>['acl']

/**
 * Validates an `acl`; returns its addresses with their users, or errors; reference api-meet §1.2. Addresses in
 * domains of the room's account must belong to a user. Any other address is accepted, so that the response
 * doesn't reveal whether it exists; if it is unknown in the tenant, the share has no effect.
 */
export async function checkModerators(
  db: Db,
  room: Pick<Room, 'tenantId' | 'ownerId' | 'isShareable'>,
  sent: SentModerators,
): Promise<{ readonly holders: AddressHolders } | { readonly error: FieldMessages }> {
  const entries = sentEntries(sent)
  if (entries === undefined) return { error: message('directory.acl-entry-invalid') }
  if (entries.length > 0 && !room.isShareable) return { error: message('policies.invalid-config-parameter') }
  const wrong = new Map<number, Message>()
  const named = new Map<string, number>()
  for (const { index, text } of entries) {
    const entry = text === undefined ? message('directory.acl-entry-invalid') : readEntry(text)
    if ('key' in entry) wrong.set(index, entry)
    else if (named.has(entry.address)) wrong.set(index, message('directory.acl-entry-invalid'))
    else named.set(entry.address, index)
  }
  const addresses = [...named.keys()]
  const users = await usersOfTenant(db, room.tenantId, addresses)
  const domains = await domainsByName(db, room.tenantId, [...new Set(addresses.map(domainOf))])
  const holders = new Map<string, number | null>()
  for (const [address, index] of named) {
    const userId = users.get(address)
    const isOwn = domains.get(domainOf(address))?.ownerId === room.ownerId
    if (userId === undefined && isOwn) wrong.set(index, message('rooms.notalocaluser'))
    else holders.set(address, userId ?? null)
  }
  return wrong.size > 0 ? { error: wrong } : { holders }
}

function domainOf(address: string): string {
  return address.slice(address.lastIndexOf('@') + 1)
}

function readEntry(text: string): { readonly address: string } | Message {
  const [name = '', right, ...more] = text.split(',').map((part) => part.trim().toLowerCase())
  if (name === '' || right === undefined || more.length > 0) return message('directory.acl-entry-invalid')
  if (right !== full) return message('rooms.acl-permission-invalid')
  const address = parseEmailAddress(name)
  return address === undefined ? message('validation.emailinvalid') : { address: address.full }
}
