/** Whether the browser supports passkeys. It can't tell whether the user has one. */
export function canUsePasskeys(): boolean {
  return typeof window.PublicKeyCredential === 'function' && window.isSecureContext
}
