/** What a pairing link says: the secret of a device; one that was kept for a recovery needs the password too. */
export interface PairingLink {
  readonly companionId: string
  readonly secret: string
  readonly isRecovery: boolean
}

/** Reads the fragment of a pairing link, which no server sees; undefined when it is none. */
export function readPairingLink(hash: string): PairingLink | undefined {
  const [, companionId, secret, recovery] = /^#([\da-f-]{36})\.([\da-zA-Z]{20,128})(\.r)?$/.exec(hash) ?? []
  return companionId && secret ? { companionId, secret, isRecovery: recovery !== undefined } : undefined
}
