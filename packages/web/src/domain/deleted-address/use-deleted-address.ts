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

/** A rejected address, and the deleted object that has it. */
export interface Held {
  address: string
  holder: DeletedHolder
}

/** A form's addresses by field, for matching field errors. */
export type SentAddresses = Readonly<Record<string, string | readonly string[]>>

/**
 * Offers two options for an address of a deleted object: restore the object, or release the address and
 * continue creating or changing.
 */
export function useDeletedAddress() {
  const client = useQueryClient()
  const say = useActWith()
  const [held, setHeld] = useState<Held>()

  /** Submits a form. If an address is rejected, checks whether a deleted object has it. */
  const guarded = async <T>(sent: SentAddresses, send: () => Promise<T>): Promise<T> => {
    try {
      return await send()
    } catch (error) {
      if (error instanceof ApiError && error.errors) {
        const found = await firstHeld(refused(sent, error.errors))
        // the dialog says more
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
    /** Restores the deleted object and opens it. */
    restore: async ({ holder }: Held) => {
      await act(() => restoreObject(holder.type, holder.id))
      navigation().leaveFor(`${pageOf(holder.type)}/${holder.id}`)
    },
    release: ({ address }: Held) => act(() => call('POST /api/v4/addresses/release', { body: { address } })),
  }
}

/** Returns the addresses whose fields have errors. */
function refused(sent: SentAddresses, errors: NonNullable<ApiError['errors']>): string[] {
  return Object.entries(sent).flatMap(([field, addresses]) => {
    const error = errors[field]
    if (error === undefined) return []
    if (typeof addresses === 'string') return [addresses]
    // list errors are keyed by entry index
    const places = typeof error === 'object' && !Array.isArray(error) ? Object.keys(error) : []
    return places.flatMap((place) => addresses[Number(place)] ?? [])
  })
}

async function firstHeld(addresses: readonly string[]): Promise<Held | undefined> {
  for (const address of addresses.slice(0, 5)) {
    // if this request fails, the field's error remains
    const answer = await call('GET /api/v4/addresses/deleted', {
      query: { address },
      ignoreErrors: true,
    }).catch(() => undefined)
    if (answer?.holder) return { address, holder: answer.holder }
  }
  return undefined
}

export type DeletedAddress = ReturnType<typeof useDeletedAddress>
