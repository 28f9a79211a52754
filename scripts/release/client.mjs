// The package of the API's client, for programs of other people.
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'esbuild'
import { pack, run } from './archive.mjs'

/**
 * Packs the client as an npm package, `gatehouse-client-<version>.tgz`. Returns its path.
 * @param {{ root: string, output: string, version: string, date: Date }} options
 */
export async function packClient({ root, output, version, date }) {
  // the folder's name in every npm package
  const folder = join(output, 'package')
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  await build({
    entryPoints: [join(root, 'packages/client/src/client.ts')],
    outfile: join(folder, 'client.js'),
    ...{ bundle: true, format: 'esm', target: 'es2023', platform: 'neutral', logLevel: 'warning' },
  })
  writeTypes(root, folder)
  copyFileSync(join(root, 'LICENSE'), join(folder, 'LICENSE'))
  writeFileSync(join(folder, 'README.md'), readme(root))
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest(version), null, 2)}\n`)
  const archive = join(output, `gatehouse-client-${version}.tgz`)
  await pack(folder, archive, date)
  rmSync(folder, { recursive: true })
  return archive
}

/** Declarations refer to each other as the compiled files that a consumer's compiler expects. */
function writeTypes(root, folder) {
  const compiler = join(root, 'node_modules/typescript/bin/tsc')
  run(process.execPath, [
    compiler,
    '-p',
    join(root, 'packages/client/tsconfig.package.json'),
    '--outDir',
    folder,
  ])
  for (const name of readdirSync(folder).filter((file) => file.endsWith('.d.ts'))) {
    const file = join(folder, name)
    writeFileSync(file, readFileSync(file, 'utf8').replaceAll(/(from '\.\/[\w-]+)\.ts'/g, "$1.js'"))
  }
}

/** Links into the repository lead nowhere in a package. */
function readme(root) {
  return readFileSync(join(root, 'packages/client/README.md'), 'utf8').replaceAll(
    /\[([^\]]+)\]\([^)]+\)/g,
    '$1',
  )
}

function manifest(version) {
  return {
    name: 'gatehouse-client',
    version,
    description: 'Typed client of the Gatehouse API',
    license: 'MIT',
    type: 'module',
    engines: { node: '>=20' },
    exports: { '.': { types: './client.d.ts', default: './client.js' } },
    files: ['*.js', '*.d.ts'],
    sideEffects: false,
  }
}
