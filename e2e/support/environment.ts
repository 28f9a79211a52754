declare module 'vitest' {
  interface ProvidedContext {
    /** Address of the running server, user variant. */
    appUrl: string
    /** Folder where the server writes its mails. */
    outbox: string
    /** Of the running server. */
    databaseUrl: string
    /** Where the running server asks about domains; who wants answers starts a name server there. */
    dnsPort: number
    /** Where the one browser of the run listens. */
    browserEndpoint: string
  }
}

export {}
