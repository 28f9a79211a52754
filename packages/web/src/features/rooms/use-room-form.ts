import type { RoomDetail } from '@gatehouse/contract/meetings/rooms'
import { sentText, useObjectForm } from '../../domain/directory/use-object-forms.ts'
import { heldUnits, type Units } from '../../domain/subscriptions/rules.ts'

/** Values changed on the General tab. */
export interface RoomValues {
  description: string
  skus: Units
}

/** The form of the General tab. */
export function useRoomForm(room: RoomDetail) {
  return useObjectForm<'room', RoomValues>('room', room, {
    valuesOf: ({ description, skus }) => ({ description: description ?? '', skus: heldUnits(skus) }),
    bodyOf: ({ description, skus }) => ({
      description: sentText(description),
      ...(skus && { skus: { ...skus } }),
    }),
  })
}
