import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import { type Message, message } from '../../platform/http/errors.ts'
import { parseEmailAddress } from '../../users/addresses/email-address.ts'
import type { ObjectSetting } from '../objects/change-config.ts'
import type { DirectoryObject } from '../objects/object.ts'
import { usersOfWallet, writeObject } from '../objects/object-store.ts'

interface Policy {
  readonly policy: DirectoryObject['invitationPolicy']
  /** The user who decides manually. */
  readonly ownerId: number | null
}

/**
 * Formats the policy for the API and the back end. If the deciding user was deleted, every invitation is
 * accepted.
 */
export function spellInvitationPolicy(
  resource: Pick<DirectoryObject, 'invitationPolicy' | 'invitationOwner'>,
): 'accept' | 'reject' | `manual:${string}` {
  if (resource.invitationPolicy !== 'manual') return resource.invitationPolicy
  return resource.invitationOwner === null ? 'accept' : `manual:${resource.invitationOwner}`
}

/** `invitation_policy` of resources; reference api-objects §10. */
export function invitationPolicy(clock: Clock): ObjectSetting {
  return {
    kind: 'resource',
    key: 'invitation_policy',
    check: async (db, object, sent) => {
      const result = await checkPolicy(db, object, sent)
      if (!('policy' in result)) return { error: result }
      const change = { invitationPolicy: result.policy, invitationOwnerId: result.ownerId }
      return { store: (trx, { id }) => writeObject(trx, clock, id, change) }
    },
    snapshot: async (_, object) => ({ invitation_policy: spellInvitationPolicy(object) }),
  }
}

async function checkPolicy(
  db: Db,
  object: Pick<DirectoryObject, 'walletId'>,
  sent: unknown,
): Promise<Policy | Message> {
  if (sent == null) return { policy: 'accept', ownerId: null }
  if (typeof sent !== 'string' || sent.length > 1024) return message('directory.ipolicy-invalid')
  const text = sent.trim().toLowerCase()
  if (text === 'accept' || text === 'reject') return { policy: text, ownerId: null }
  if (!/^manual\s*:/.test(text)) return message('directory.ipolicy-invalid')
  const address = parseEmailAddress(text.slice(text.indexOf(':') + 1))
  if (address === undefined) return message('validation.emailinvalid')
  const ownerId = (await usersOfWallet(db, object.walletId, [address.full])).get(address.full)
  return ownerId === undefined ? message('directory.notalocaluser') : { policy: 'manual', ownerId }
}
