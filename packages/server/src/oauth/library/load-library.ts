type Library = typeof import('oidc-provider')

let loaded: Promise<Library> | undefined

/**
 * The OpenID library, loaded when it is first needed, because a start need not wait for it. It warns of Node 20, which
 * our tests run on and which it works with; that one warning is not shown, others are.
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
