import { compileMessage } from '@lingui/message-utils/compileMessage'
import type { Plugin } from 'vite'

const catalogue = /\/i18n\/messages\/[\w-]+\.\w+\.json$/

const compiler = '@lingui/message-utils/compileMessage'
const noCompiler = '\0no-message-compiler'

/**
 * Leaves the compiler out of the library. There it is for development, but loading it has effects, so that a bundler would
 * keep it, 8 kB with its parser, in the first load of everybody. Our own code loads it for strings of a theme.
 */
export function withoutMessageCompiler(): Plugin {
  return {
    name: 'gatehouse:no-message-compiler',
    apply: 'build',
    enforce: 'pre',
    resolveId: (source, importer) =>
      source === compiler && importer?.includes('/node_modules/') ? noCompiler : undefined,
    load: (id) => (id === noCompiler ? 'export const compileMessage = (text) => text' : undefined),
  }
}

/** Compiles the ICU message catalogues while bundling, so that no ICU parser reaches the browser. */
export function messageCatalogues(): Plugin {
  return {
    name: 'gatehouse:message-catalogues',
    enforce: 'pre',
    transform: {
      filter: { id: catalogue },
      handler(code) {
        const messages: Record<string, string> = JSON.parse(code)
        const compiled = Object.entries(messages).map(([key, text]) => [key, compileMessage(text)])
        return { code: JSON.stringify(Object.fromEntries(compiled)), map: null }
      },
    },
  }
}
