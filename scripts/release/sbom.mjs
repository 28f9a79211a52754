// The list of components of a release, in CycloneDX 1.6.
import { createHash } from 'node:crypto'

/**
 * Returns the bill of materials as JSON text. It's the same for the same components and date.
 * @param {{ version: string, date: Date, components: readonly (import('./components.mjs').Component & { licence: string })[], node?: string }} release
 */
export function sbomOf({ version, date, components, node }) {
  const product = `gatehouse@${version}`
  const parts = components.map(componentOf)
  if (node !== undefined) parts.push(nodeComponent(node))
  const requires = components.map(({ path, requires: paths }) => ({ ref: path, dependsOn: paths }))
  const everything = {
    metadata: {
      timestamp: date.toISOString(),
      component: {
        type: 'application',
        'bom-ref': product,
        name: 'gatehouse',
        version,
        purl: `pkg:generic/gatehouse@${version}`,
        licenses: [{ license: { id: 'MIT' } }],
      },
    },
    components: parts,
    dependencies: [{ ref: product, dependsOn: parts.map((part) => part['bom-ref']) }, ...requires],
  }
  const bom = {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    serialNumber: `urn:uuid:${identifierOf(JSON.stringify(everything))}`,
    version: 1,
    ...everything,
  }
  return `${JSON.stringify(bom, undefined, 2)}\n`
}

function componentOf({ name, version, path, use, integrity, licence }) {
  const [, scope, plain = name] = /^(@[^/]+)\/(.+)$/.exec(name) ?? []
  return {
    type: 'library',
    'bom-ref': path,
    ...(scope !== undefined && { group: scope }),
    name: plain,
    version,
    scope: 'required',
    purl: `pkg:npm/${scope === undefined ? '' : `${encodeURIComponent(scope)}/`}${plain}@${version}`,
    licenses: licencesOf(licence),
    hashes: hashesOf(integrity),
    properties: [{ name: 'gatehouse:use', value: use }],
  }
}

function nodeComponent(version) {
  return {
    type: 'platform',
    'bom-ref': `node@${version}`,
    name: 'node',
    version,
    purl: `pkg:generic/node@${version}`,
    licenses: [{ license: { id: 'MIT' } }],
  }
}

function licencesOf(licence) {
  return / (?:AND|OR) /.test(licence) ? [{ expression: licence }] : [{ license: { id: licence } }]
}

/** `sha512-<base64>` of the lock file, in the words of CycloneDX. */
function hashesOf(integrity) {
  const [, bits, content] = /^sha(\d+)-(.+)$/.exec(integrity) ?? []
  return [
    { alg: bits === '1' ? 'SHA-1' : `SHA-${bits}`, content: Buffer.from(content, 'base64').toString('hex') },
  ]
}

/** A UUID (version 8) made from the content. */
function identifierOf(content) {
  const hex = createHash('sha256').update(content).digest('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}
