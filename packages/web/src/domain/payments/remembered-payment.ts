const key = 'payment'

/** Remembers the payment this tab was left for, so that the page can show its outcome. */
export function rememberPayment(id: string): void {
  sessionStorage.setItem(key, id)
}

export function rememberedPayment(): string | undefined {
  return sessionStorage.getItem(key) ?? undefined
}

export function forgetPayment(): void {
  sessionStorage.removeItem(key)
}
