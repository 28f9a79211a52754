import { join } from 'node:path'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { messageCatalogues, withoutMessageCompiler } from './vite/message-catalogues.ts'
import { refreshPreamble } from './vite/refresh-preamble.ts'
import { tusClient } from './vite/tus-client.ts'
import { worldMap } from './vite/world-map.ts'

const portal = process.env.PORTAL_URL ?? 'http://127.0.0.1:8000'
const ownModules = '/(?:src/|node_modules/|@vite/|@id/|@fs/|@react-refresh)'

const framework = /node_modules\/(?:react|react-dom|scheduler|@tanstack\/history)\//

const entry = join(import.meta.dirname, 'src/main.tsx')

/**
 * Modules for the first page: the entry's static imports. Excludes the entry itself, which waits for chunks
 * that build on this one.
 */
function firstLoad(getModuleInfo: (id: string) => { importedIds: string[] } | null): ReadonlySet<string> {
  if (known) return known
  const found = new Set<string>()
  const visit = (id: string) => {
    if (found.has(id)) return
    found.add(id)
    for (const next of getModuleInfo(id)?.importedIds ?? []) visit(next)
  }
  visit(entry)
  found.delete(entry)
  known = found
  return found
}

let known: ReadonlySet<string> | undefined

const sharedAreas =
  /\/messages\/(?:words|list|subscriptions|setup|deletedaddress|userfields|password|copy|addresses|acl|faq)\.(\w+)\.json$/

/** Chunk for texts shared by many screens, one per language. */
function sharedTexts(id: string): string | null {
  const language = sharedAreas.exec(id)?.[1]
  return language === undefined ? null : `texts-${language}`
}

/** Chunk of a feature, or of a domain's parts shared by features. */
function areaOf(id: string): string | null {
  const [, floor, area] = /\/src\/(features|domain)\/([\w-]+)\//.exec(id) ?? []
  return area === undefined ? null : `${floor}-${area}`
}

export default defineConfig({
  root: import.meta.dirname,
  base: '/',
  // The portal's page host delivers every HTML page, also during development.
  appType: 'custom',
  publicDir: false,
  plugins: [messageCatalogues(), withoutMessageCompiler(), refreshPreamble(), worldMap(), react()],
  resolve: { alias: tusClient },
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    manifest: true,
    target: 'es2022',
    // Browsers that support light-dark(), which the colours of the default look and of themes need.
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
    assetsDir: 'assets',
    // The content security policy allows neither inline scripts nor data: fonts.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      input: {
        main: 'src/main.tsx',
        'companion-app': 'src/companion-app/main.tsx',
        'companion-worker': 'src/companion-app/worker.ts',
      },
      output: {
        // The page refers to the worker by name and must not change with it.
        entryFileNames: ({ name }) => (name === 'companion-worker' ? '[name].js' : 'assets/[name]-[hash].js'),
        codeSplitting: {
          // Only changes with our dependencies, so that browsers can cache it across our releases.
          groups: [
            { name: 'framework', test: framework },
            // Many small files needed by the same page weigh more than one.
            {
              debugName: 'base',
              name: (id, context) => (firstLoad((one) => context.getModuleInfo(one)).has(id) ? 'base' : null),
            },
            // Texts shared by many screens, one chunk per language.
            { debugName: 'texts', name: sharedTexts },
            // Code shared by many screens, including icons. Separate files caused up to 76 requests.
            { name: 'common', minShareCount: 6 },
            // Users never need code shared by staff screens.
            {
              name: 'staff',
              test: /\/features\/(cockpit|tenants)\//,
              minShareCount: 2,
              includeDependenciesRecursively: false,
            },
            // Code shared by a few screens of one area.
            { debugName: 'area', name: areaOf, minShareCount: 2, includeDependenciesRecursively: false },
            { name: 'some', minShareCount: 3, includeDependenciesRecursively: false },
          ],
        },
      },
    },
  },
  server: {
    port: 5173,
    strictPort: true,
    proxy: { [`^(?!${ownModules}).*`]: { target: portal, changeOrigin: false } },
  },
})
