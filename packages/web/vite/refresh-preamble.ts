import type { Plugin } from 'vite'

const moduleId = 'virtual:refresh-preamble'
const entry = /\/src\/(companion-app\/)?main\.tsx$/

const preamble = `
import { injectIntoGlobalHook } from '/@react-refresh'
injectIntoGlobalHook(window)
window.$RefreshReg$ = () => {}
window.$RefreshSig$ = () => (type) => type
`

/**
 * Installs React's hot-reload hook from a module. The usual inline script is blocked by the content security
 * policy of our page host.
 */
export function refreshPreamble(): Plugin {
  return {
    name: 'gatehouse:refresh-preamble',
    apply: 'serve',
    enforce: 'pre',
    resolveId: { filter: { id: /^virtual:refresh-preamble$/ }, handler: (id) => `\0${id}` },
    load(id) {
      return id === `\0${moduleId}` ? preamble : undefined
    },
    transform: {
      filter: { id: entry },
      handler: (code) => ({ code: `import '${moduleId}'\n${code}`, map: null }),
    },
  }
}
