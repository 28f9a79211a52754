import type { DeletedHolder } from '@gatehouse/contract/directory/deleted-addresses'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../platform/api/api.ts'
import { ApiError } from '../../platform/api/api-error.ts'
import { reportFieldErrors } from '../../platform/api/report-error.ts'
import { useActWith } from '../../platform/api/use-act.ts'
import { navigation } from '../../platform/navigation/navigation.ts'
import { pageOf } from '../directory/kind.ts'
import { restoreObject } from '../directory/kind-calls.ts'

/** An address that a form was refused, and the deleted object that holds it. */
export interface Held {
  address: string
  holder: DeletedHolder
}

/** Addresses of a form by its fields: those that an error at the field may be about. */
export type SentAddresses = Readonly<Record<string, string | readonly string[]>>

/**
 * Offers the two ways on for an address that belongs to something deleted: have that back, or free the address and go on
 * with what is being created or changed.
 */
export function useDeletedAddress() {
  const client = useQueryClient()
  const say = useActWith()
  const [held, setHeld] = useState<Held>()

  /** Sends a form. When an address is refused, finds out whether something deleted holds it. */
  const guarded = async <T>(sent: SentAddresses, send: () => Promise<T>): Promise<T> => {
    try {
      return await send()
    } catch (error) {
      if (error instanceof ApiError && error.errors) {
        const found = await firstHeld(refused(sent, error.errors))
        // the question says more
        if (found) error.toast?.close()
        setHeld(found)
      }
      throw error
    }
  }

  const act = async (work: () => Promise<{ message: string }>) => {
    try {
      await say(work)
    } catch (error) {
      if (error instanceof ApiError && error.errors) reportFieldErrors(error)
      throw error
    } finally {
      setHeld(undefined)
      await client.invalidateQueries()
    }
  }

  return {
    held,
    guarded,
    close: () => setHeld(undefined),
    /** Has the deleted object back, and shows it. */
    restore: async ({ holder }: Held) => {
      await act(() => restoreObject(holder.type, holder.id))
      navigation().leaveFor(`${pageOf(holder.type)}/${holder.id}`)
    },
    release: ({ address }: Held) => act(() => call('POST /api/v4/addresses/release', { body: { address } })),
  }
}

/** Addresses at whose fields there is an error. */
function refused(sent: SentAddresses, errors: NonNullable<ApiError['errors']>): string[] {
  return Object.entries(sent).flatMap(([field, addresses]) => {
    const error = errors[field]
    if (error === undefined) return []
    if (typeof addresses === 'string') return [addresses]
    // errors of a list are told by the places of its entries
    const places = typeof error === 'object' && !Array.isArray(error) ? Object.keys(error) : []
    return places.flatMap((place) => addresses[Number(place)] ?? [])
  })
}

async function firstHeld(addresses: readonly string[]): Promise<Held | undefined> {
  for (const address of addresses.slice(0, 5)) {
    // whatever is wrong with the question, the field says what is wrong with the address
    const answer = await call('GET /api/v4/addresses/deleted', {
      query: { address },
      ignoreErrors: true,
    }).catch(() => undefined)
    if (answer?.holder) return { address, holder: answer.holder }
  }
  return undefined
}

export type DeletedAddress = ReturnType<typeof useDeletedAddress>
