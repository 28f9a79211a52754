import type { FilePermission } from '@gatehouse/contract/files/file-shares'
import { userStatus } from '@gatehouse/contract/status'
import { wireDate } from '../../platform/clock.ts'
import type { Api } from '../../platform/http/api.ts'
import { type FieldMessages, message, NotFound, ValidationError } from '../../platform/http/errors.ts'
import { isUuid } from '../../platform/ids.ts'
import { actorOf } from '../../users/actor.ts'
import { parseEmailAddress } from '../../users/addresses/email-address.ts'
import { requireItem, sharePrefix } from '../access.ts'
import type { FileParts } from '../file-parts.ts'
import type { Item } from '../items/item.ts'
import { listShared, ownersOf } from '../items/list-store.ts'
import { mayShare, type Reach } from '../policy.ts'
import { presentItem } from '../present.ts'
import { listQuery } from '../read-query.ts'
import { isOwnersAddress, type ShareRow, sharesOf } from '../share-store.ts'
import { changeShare, endShare, requireShare, shareItem } from '../shares.ts'

interface Offer {
  readonly isOffered: boolean
}

/** Routes for shares by address and items shared by others. */
export function serveShares(api: Api, parts: FileParts, offer: Offer): void {
  const { db, config } = parts
  const present = (share: ShareRow): FilePermission => ({
    id: `${sharePrefix}${share.id}`,
    user: share.address,
    permissions: share.rights,
    link: `${config.APP_URL}/file/${sharePrefix}${share.id}`,
    created_at: wireDate(share.createdAt),
  })

  api.serve(
    'GET /api/v4/fs/{id}/permissions',
    async (context) => {
      const { item } = await requireItem(parts, context.principal, context.params.id, context, mayShare)
      const list = (await sharesOf(db, item.id)).map(present)
      return { list, count: list.length }
    },
    offer,
  )

  api.serveLate(
    'POST /api/v4/fs/{id}/permissions',
    async (context) => {
      const { principal, params, t } = context
      const { item } = await requireItem(parts, principal, params.id, context, mayShare)
      const wanted = await readShareInput(parts, item, context.read())
      const share = await shareItem(parts, item, wanted, actorOf(principal, context))
      return { status: 'success', message: t('files.permission-created'), ...present(share) }
    },
    offer,
  )

  api.serveLate(
    'PUT /api/v4/fs/{id}/permissions/{permission}',
    async (context) => {
      const { principal, params, t } = context
      const { item } = await requireItem(parts, principal, params.id, context, mayShare)
      const share = await requireShare(db, item, shareIdOf(params.permission))
      const wanted = await readShareInput(parts, item, context.read())
      const changed = await changeShare(parts, item, share, wanted, actorOf(principal, context))
      return { status: 'success', message: t('files.permission-updated'), ...present(changed) }
    },
    offer,
  )

  api.serve(
    'DELETE /api/v4/fs/{id}/permissions/{permission}',
    async (context) => {
      const { principal, params, t } = context
      const { item } = await requireItem(parts, principal, params.id, context, mayShare)
      const share = await requireShare(db, item, shareIdOf(params.permission))
      await endShare(parts, item, share, actorOf(principal, context))
      return { status: 'success', message: t('files.permission-deleted') }
    },
    offer,
  )

  api.serve(
    'GET /api/v4/fs/shared',
    async ({ principal, query }) => {
      const wanted = listQuery(query)
      const blocked = userStatus.suspended | userStatus.degraded
      const { rows, total } = await listShared(db, principal, wanted, blocked)
      const owners = await ownersOf(
        db,
        rows.map((row) => row.ownerId),
      )
      const list = rows.map((row) => {
        const share = {
          id: row.shareId,
          itemId: row.id,
          address: '',
          rights: row.rights,
          createdAt: row.sharedAt,
        }
        const { id, permissions, created_at, link } = present(share)
        const owner = owners.get(row.ownerId) ?? { email: '', name: '' }
        const by = { shareId: row.shareId, rootId: row.id, rights: row.rights }
        const reach: Reach = { item: row, rights: row.rights, by }
        return {
          ...presentItem(reach, { reader: principal, isShared: false, owner }),
          owner,
          share: { id, permissions, created_at, link },
        }
      })
      return { list, count: list.length, hasMore: wanted.offset + list.length < total, total }
    },
    offer,
  )
}

/** Strips the optional prefix that other clients add to share ids. */
function shareIdOf(text: string): string {
  const id = text.toLowerCase().replace(sharePrefix, '')
  if (!isUuid(id)) throw new NotFound()
  return id
}

async function readShareInput(
  { db }: FileParts,
  item: Item,
  { user, permissions }: { readonly user?: string | null; readonly permissions?: string | null },
): Promise<Pick<ShareRow, 'address' | 'rights'>> {
  const address = user == null ? undefined : parseEmailAddress(user)?.full
  const isRight = permissions === 'read-only' || permissions === 'read-write'
  const problems: Record<string, FieldMessages> = {
    ...(user == null
      ? { user: message('validation.required') }
      : address === undefined && { user: message('validation.email') }),
    ...(!isRight && { permissions: message('files.permission-invalid') }),
  }
  if (address !== undefined && (await isOwnersAddress(db, item.ownerId, address))) {
    problems.user = message('files.permission-self')
  }
  if (address === undefined || !isRight || Object.keys(problems).length > 0)
    throw new ValidationError(problems)
  return { address, rights: permissions }
}
