/** Contents of a pairing link: the device's secret; a recovery device's also needs the password. */
export interface PairingLink {
  readonly companionId: string
  readonly secret: string
  readonly isRecovery: boolean
}

/** Parses the fragment of a pairing link, which no server receives; undefined if invalid. */
export function readPairingLink(hash: string): PairingLink | undefined {
  const [, companionId, secret, recovery] = /^#([\da-f-]{36})\.([\da-zA-Z]{20,128})(\.r)?$/.exec(hash) ?? []
  return companionId && secret ? { companionId, secret, isRecovery: recovery !== undefined } : undefined
}
