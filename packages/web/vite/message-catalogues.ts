import { compileMessage } from '@lingui/message-utils/compileMessage'
import type { Plugin } from 'vite'

const catalogue = /\/i18n\/messages\/[\w-]+\.\w+\.json$/

const compiler = '@lingui/message-utils/compileMessage'
const noCompiler = '\0no-message-compiler'

/**
 * Replaces the library's message compiler with a stub. It is meant for development, but has side effects on
 * import, so a bundler would keep it and its parser (8 kB) in everyone's first load. Our own code loads it
 * for a theme's strings.
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

/** Compiles the ICU message catalogues during bundling, so that no ICU parser is sent to the browser. */
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
