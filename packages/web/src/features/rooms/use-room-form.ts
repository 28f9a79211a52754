import type { RoomDetail } from '@gatehouse/contract/meetings/rooms'
import { useQueryClient } from '@tanstack/react-query'
import { forgetKind } from '../../domain/directory/kind.ts'
import { useRevisedForm } from '../../domain/revised-form/use-revised-form.ts'
import { heldUnits, type Units } from '../../domain/subscriptions/rules.ts'
import { call } from '../../platform/api/api.ts'
import { toasts } from '../../ui/toasts/store.ts'
import { roomKind, roomQuery } from './room-kind.ts'

/** What the General tab changes. */
export interface RoomValues {
  description: string
  skus: Units
}

/** The form of the General tab. */
export function useRoomForm(room: RoomDetail) {
  const client = useQueryClient()
  return useRevisedForm<RoomDetail, RoomValues>({
    detail: room,
    valuesOf: ({ description, skus }) => ({ description: description ?? '', skus: heldUnits(skus) }),
    save: async ({ description, skus }, revision) => {
      const { message } = await call('PUT /api/v4/rooms/{id}', {
        params: { id: String(room.id) },
        body: {
          ...(description !== undefined && { description: description.trim() || null }),
          ...(skus && { skus: { ...skus } }),
          revision,
        },
        ignoreErrors: true,
      })
      toasts.success(message)
    },
    reread: async () => {
      const fresh = await client.fetchQuery({ ...roomQuery(room.id), staleTime: 0 })
      forgetKind(client, roomKind)
      return fresh
    },
  })
}
