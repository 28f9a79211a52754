/** Whom passkeys are made for; WebAuthn calls it the relying party. */
export interface RelyingParty {
  /** The domain of the installation; passkeys of it work on every host below, so on those of the cockpits too. */
  readonly id: string
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
  const origins = ['', 'admin.', 'reseller.'].map((variant) => `${protocol}//${variant}${host}`)
  return { id: config.domain, name: config.APP_NAME, origins }
}
