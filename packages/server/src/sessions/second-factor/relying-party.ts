import type { Variant } from '@gatehouse/contract/route'
import { getDomain } from 'tldts'

const prefixes: Readonly<Record<Variant, string>> = { user: '', admin: 'admin.', reseller: 'reseller.' }

/** Whom passkeys are made for; WebAuthn calls it the relying party. */
export interface RelyingParty {
  /**
   * The domain that passkeys of a host are for: that of the installation, so that they work on every host below it, those
   * of the cockpits too. Browsers share none below a name that is nobody's to register, such as `localhost`: there each
   * host has passkeys of its own (WebAuthn §5.1.3).
   */
  readonly idOf: (variant: Variant) => string
  readonly ids: readonly string[]
  readonly name: string
  /** Where its pages may come from: the hosts of the three variants. */
  readonly origins: readonly string[]
}

export function relyingParty(config: {
  readonly APP_URL: string
  readonly APP_NAME: string
  readonly domain: string
}): RelyingParty {
  const { protocol, host } = new URL(config.APP_URL)
  const isShared = getDomain(config.domain, { allowPrivateDomains: true }) !== null
  const idOf = (variant: Variant) => (isShared ? config.domain : prefixes[variant] + config.domain)
  const variants = ['user', 'admin', 'reseller'] as const
  return {
    idOf,
    ids: [...new Set(variants.map(idOf))],
    name: config.APP_NAME,
    origins: variants.map((variant) => `${protocol}//${prefixes[variant]}${host}`),
  }
}
