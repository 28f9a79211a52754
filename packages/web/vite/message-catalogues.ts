import { compileMessage } from '@lingui/message-utils/compileMessage'
import type { Plugin } from 'vite'

const catalogue = /\/i18n\/messages\/[\w-]+\.\w+\.json$/

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
