declare module 'vitest' {
  interface ProvidedContext {
    /** Address of the running server, user variant. */
    appUrl: string
    /** Folder where the server writes its mails. */
    outbox: string
    /** Where the one browser of the run listens. */
    browserEndpoint: string
  }
}

export {}
