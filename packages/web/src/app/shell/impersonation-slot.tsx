import { type ComponentType, createElement, useEffect, useState } from 'react'
import { loadMessages } from '../../i18n/i18n.ts'
import { useUser } from '../../platform/session/auth.ts'

/** Shown on every page while staff impersonate a user; never loaded for users. */
export function ImpersonationSlot() {
  const isWanted = useUser()?.impersonatedBy !== undefined
  const [Banner, setBanner] = useState<ComponentType>()
  useEffect(() => {
    if (!isWanted || Banner) return
    void Promise.all([import('./impersonation-banner.tsx'), loadMessages('impersonation')]).then(([module]) =>
      setBanner(() => module.ImpersonationBanner),
    )
  }, [isWanted, Banner])
  return isWanted && Banner ? createElement(Banner) : null
}
