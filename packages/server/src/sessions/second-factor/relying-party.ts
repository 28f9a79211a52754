import type { Variant } from '@gatehouse/contract/route'
import { getDomain } from 'tldts'

const prefixes: Readonly<Record<Variant, string>> = { user: '', admin: 'admin.', reseller: 'reseller.' }

/** The WebAuthn relying party. */
export interface RelyingParty {
  /**
   * Returns the RP ID for a host: the installation's domain, so that passkeys work on all hosts below it,
   * including the cockpits. Browsers don't share passkeys below a public suffix such as `localhost`: there each
   * host has its own (WebAuthn §5.1.3).
   */
  readonly idOf: (variant: Variant) => string
  readonly ids: readonly string[]
  readonly name: string
  /** Allowed origins of its pages: the hosts of the three variants. */
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
