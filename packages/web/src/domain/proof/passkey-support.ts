/** Whether this browser knows passkeys at all. Whether a device has one, only the person can tell. */
export function canUsePasskeys(): boolean {
  return typeof window.PublicKeyCredential === 'function' && window.isSecureContext
}
