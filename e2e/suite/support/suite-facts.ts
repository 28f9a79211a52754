/** What tests know about the running suite. */
export interface SuiteFacts {
  readonly folder: string
  /** With it, the suite's own commands refer to this suite. */
  readonly environment: Readonly<Record<string, string>>
  readonly databaseUrl: string
  readonly portalUrl: string
  readonly webmailUrl: string
  /** Password of the mail store's admin. */
  readonly storeAdmin: string
  readonly ports: {
    readonly imap: number
    readonly imaps: number
    readonly submission: number
    readonly submissions: number
    readonly sieve: number
    readonly https: number
    readonly incoming: number
    readonly storeImap: number
  }
}

declare module 'vitest' {
  interface ProvidedContext {
    /** Null: it can't run here. */
    suite: SuiteFacts | null
  }
}
