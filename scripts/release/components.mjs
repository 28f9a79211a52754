// The packages that a release contains, as the lock file names them.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** Workspaces whose dependencies are loaded at run time. Everything of ours is bundled. */
const runtimeWorkspaces = ['packages/server', 'packages/media']

/** The workspace whose dependencies are compiled into files for browsers. */
const webWorkspace = 'packages/web'

/**
 * A package of a release.
 * @typedef {object} Component
 * @property {string} name
 * @property {string} version
 * @property {string} path the folder below the root, as in the lock file
 * @property {'runtime' | 'browser'} use loaded as installed, or compiled into the files for browsers
 * @property {string} integrity
 * @property {string[]} requires paths of the packages it depends on
 */

/**
 * Returns the packages that run on the server and those in the files for browsers, sorted by path. Optional packages
 * for other platforms aren't installed, so they aren't included.
 * @param {string} root
 * @returns {Component[]}
 */
export function componentsOf(root) {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))
  const runtime = new Set()
  for (const workspace of runtimeWorkspaces) {
    collect(root, packages, workspace, Object.keys(packages[workspace].dependencies), runtime)
  }
  const browser = new Set()
  collect(root, packages, webWorkspace, importedByWeb(root), browser)
  const paths = [...new Set([...runtime, ...browser])].sort(byName)
  return paths.map((path) => ({
    name: nameOf(path),
    version: packages[path].version,
    path,
    use: runtime.has(path) ? 'runtime' : 'browser',
    integrity: packages[path].integrity,
    requires: requirementsOf(root, packages, path),
  }))
}

/** Adds the paths of the named packages, as seen from a folder, and of all they need. */
function collect(root, packages, from, names, found) {
  for (const name of names) {
    const path = resolvePackage(packages, from, name)
    if (path === undefined) throw new Error(`${name} is missing in the lock file, required by ${from}`)
    if (found.has(path) || packages[path].link) continue
    found.add(path)
    for (const next of requirementsOf(root, packages, path)) {
      if (!found.has(next)) collect(root, packages, path, [nameOf(next)], found)
    }
  }
}

function requirementsOf(root, packages, path) {
  const { dependencies = {}, optionalDependencies = {}, peerDependencies = {} } = packages[path]
  const { peerDependenciesMeta = {} } = packages[path]
  const optional = new Set([
    ...Object.keys(optionalDependencies),
    ...Object.keys(peerDependencies).filter((name) => peerDependenciesMeta[name]?.optional),
  ])
  const peers = Object.keys(peerDependencies).filter((name) => !optional.has(name))
  const names = new Set([...Object.keys(dependencies), ...Object.keys(optionalDependencies), ...peers])
  return [...names]
    .map((name) => ({ name, target: resolvePackage(packages, path, name) }))
    .filter(({ name, target }) => {
      const isInstalled = target !== undefined && existsSync(join(root, target))
      if (!isInstalled && !optional.has(name)) throw new Error(`${name} isn't installed, required by ${path}`)
      return isInstalled
    })
    .map(({ target }) => target)
    .sort(byName)
}

/** Finds a package like Node does: in the nearest `node_modules`. */
function resolvePackage(packages, from, name) {
  for (let folder = from; ; folder = dirname(folder)) {
    const path = folder === '.' || folder === '' ? `node_modules/${name}` : `${folder}/node_modules/${name}`
    if (path in packages) return path
    if (folder === '.' || folder === '') return undefined
  }
}

/** The same order in every locale. */
function byName(one, other) {
  return one < other ? -1 : 1
}

function nameOf(path) {
  return path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)
}

/** Direct dependencies of the web application that its sources mention. The others are tools. */
function importedByWeb(root) {
  const folder = join(root, webWorkspace)
  const { dependencies, devDependencies } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const text = ['src', 'vite']
    .flatMap((source) =>
      readdirSync(join(folder, source), { recursive: true, encoding: 'utf8' }).map((file) =>
        join(source, file),
      ),
    )
    .filter((file) => /\.(tsx?|css)$/.test(file) && !/\.test(-data)?\.tsx?$/.test(file))
    .map((file) => readFileSync(join(folder, file), 'utf8'))
    .join('\n')
  return Object.keys({ ...dependencies, ...devDependencies }).filter(
    (name) => !name.startsWith('@gatehouse/') && new RegExp(`['"]${name}(?:/[^'"]*)?['"]`).test(text),
  )
}
