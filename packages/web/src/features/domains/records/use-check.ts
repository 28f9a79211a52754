import type { DomainDetail } from '@gatehouse/contract/directory/domains'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { objectQuery } from '../../../domain/directory/kind-calls.ts'
import { call } from '../../../platform/api/api.ts'

/** Checks the DNS records of a domain now and updates them wherever they are shown. */
export function useCheck({ id }: DomainDetail) {
  const client = useQueryClient()
  const [checks, setChecks] = useState(0)
  return {
    /** Number of checks started here. */
    checks,
    check: async () => {
      const params = { id: String(id) }
      const dnsReport = await call('POST /api/v4/domains/{id}/dns-check', { params, body: {} })
      const { queryKey } = objectQuery('domain', id)
      client.setQueryData<DomainDetail>(queryKey, (old) => old && { ...old, dnsReport })
      setChecks((count) => count + 1)
    },
  }
}
