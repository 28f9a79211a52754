import type { DomainDetail } from '@gatehouse/contract/directory/domains'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useT } from '../../i18n/i18n.ts'
import { call } from '../../platform/api/api.ts'
import { toasts } from '../../ui/toasts/store.ts'
import { domainsChanged, rereadDomain } from './domain-calls.ts'

/** The proof of ownership, if the reader may start it. */
export interface Confirmation {
  confirm: () => Promise<void>
  busy: boolean
  /** Time of the last check here that didn't find the record. */
  missedAt: Date | undefined
  /** Called when the record was found in the background. */
  found: () => void
}

/** Checks the record that proves ownership of a domain and applies the result. */
export function useConfirm(domain: DomainDetail): Confirmation {
  const t = useT()
  const client = useQueryClient()
  const [busy, setBusy] = useState(false)
  const [missedAt, setMissedAt] = useState<Date>()

  const confirmed = async () => {
    await rereadDomain(client, domain.id)
    await domainsChanged(client)
  }
  const look = async () => {
    const params = { id: String(domain.id) }
    const { status, message } = await call('POST /api/v4/domains/{id}/confirm', { params, body: {} })
    toasts.show({ type: status, message })
    setMissedAt(status === 'error' ? new Date() : undefined)
    if (status === 'success') await confirmed()
  }

  return {
    busy,
    missedAt,
    confirm: async () => {
      if (busy) return
      setBusy(true)
      await look().finally(() => setBusy(false))
    },
    found: () => {
      toasts.success(t('domains.foundByUs', { domain: domain.displayName }))
      void confirmed()
    },
  }
}
