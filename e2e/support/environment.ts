declare module 'vitest' {
  interface ProvidedContext {
    /** Endpoint of the browser shared by the whole run. */
    browserEndpoint: string
  }
}

export {}
