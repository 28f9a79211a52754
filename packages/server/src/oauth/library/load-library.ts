type Library = typeof import('oidc-provider')

let loaded: Promise<Library> | undefined

/**
 * Loads the OpenID library on first use, so that startup needn't wait for it. Suppresses only its warning
 * about Node 20, with which our tests run and it works.
 */
export function loadLibrary(): Promise<Library> {
  loaded ??= importQuietly()
  return loaded
}

async function importQuietly(): Promise<Library> {
  const { warn } = console
  console.warn = (...words: unknown[]) => {
    if (!String(words[0]).includes('Unsupported runtime')) warn(...words)
  }
  try {
    return await import('oidc-provider')
  } finally {
    console.warn = warn
  }
}
