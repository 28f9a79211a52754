import { execFile } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Ajv } from 'ajv'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parse, parseAllDocuments, stringify } from 'yaml'
import { z } from 'zod'
import { invalidParts } from './kubernetes-object.ts'
import { problemsOfMediaHost, problemsOfPortal } from './settings.ts'

const chart = join(import.meta.dirname, '../helm')
/** Where Debian installs libraries of Go. */
const libraries = '/usr/share/gocode'
const hasGo = existsSync('/usr/bin/go') && existsSync(join(libraries, 'src/github.com/Masterminds/sprig'))

const secrets = {
  SECRET_KEY: 's'.repeat(40),
  DATABASE_URL: 'postgres://gatehouse:secret@database.example.org/gatehouse',
  SMTP_URL: 'smtp://mail.example.org',
  FILES_S3_KEY: 'key',
  FILES_S3_SECRET: 'secret',
  CYRUS_ADMIN_PASSWORD: 'secret',
  MEET_ENGINE_TOKEN: 't'.repeat(40),
}

/** The least that has to be set. */
const least = {
  host: 'portal.example.org',
  trustedProxies: ['10.0.0.0/8'],
  secrets,
  settings: { GROUPWARE_BACKEND: 'null' },
}

const everything = {
  ...least,
  metricsAllow: ['10.1.0.0/16'],
  image: { tag: '9.9.9', pullSecrets: ['registry'] },
  settings: {
    GROUPWARE_BACKEND: 'cyrus',
    CYRUS_JWT_KEY_FILE: '/etc/gatehouse/files/cyrus.pem',
    MEET_TURN_URLS: 'turn:turn.example.org',
    MEET_TURN_SECRET: 'u'.repeat(40),
  },
  filesSecretName: 'files',
  portal: { autoscaling: { enabled: true }, annotations: { 'example.org/team': 'mail' } },
  gateway: { enabled: true, milter: true, allowedNetworks: ['192.0.2.0/28'] },
  media: { engines: 3, minAvailable: 1, announcedAddress: '198.51.100.7', nodeSelector: { media: 'true' } },
  ingress: { className: 'nginx', extraHosts: ['mail.customer.example'] },
  networkPolicy: { enabled: true },
}

const variable = z.object({ name: z.string(), value: z.string().optional() })
const object = z.looseObject({
  kind: z.string(),
  metadata: z.looseObject({ name: z.string(), labels: z.record(z.string(), z.string()) }),
  data: z.record(z.string(), z.string()).optional(),
  stringData: z.record(z.string(), z.string()).optional(),
})
type KubernetesObject = z.infer<typeof object>

const workload = z.object({
  replicas: z.number().optional(),
  selector: z.object({ matchLabels: z.record(z.string(), z.string()) }),
  template: z.object({
    metadata: z.looseObject({ labels: z.record(z.string(), z.string()) }),
    spec: z.looseObject({
      containers: z.tuple([
        z.looseObject({
          image: z.string(),
          env: z.array(variable),
          envFrom: z.array(z.unknown()).optional(),
          ports: z.array(
            z.looseObject({ name: z.string(), containerPort: z.number(), hostPort: z.number().optional() }),
          ),
        }),
      ]),
    }),
  }),
})

let folder = ''
let renderer = ''

describe.skipIf(!hasGo)('the Helm chart (needs golang-go and golang-github-masterminds-sprig-dev)', () => {
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'gatehouse-chart-'))
    renderer = join(folder, 'render-chart')
    const env = { ...process.env, GO111MODULE: 'off', GOPATH: libraries, GOCACHE: join(folder, 'cache') }
    const source = join(import.meta.dirname, 'render-chart.go')
    await promisify(execFile)('/usr/bin/go', ['build', '-o', renderer, source], { env })
  }, 180_000)

  afterAll(() => rm(folder, { recursive: true, force: true }))

  test.each([
    ['the least values', least],
    ['all values', everything],
    ['an existing secret', { ...least, secrets: {}, secretName: 'existing' }],
    ['no media engines and no ingress', { ...least, media: { enabled: false }, ingress: { enabled: false } }],
  ])('makes objects that Kubernetes accepts from %s', async (_, values) => {
    expect(valuesProblems(values)).toEqual([])
    const objects = await render(values)
    expect(objects.flatMap(invalidParts)).toEqual([])
    const names = objects.map(({ kind, metadata }) => `${kind} ${metadata.name}`)
    expect(new Set(names).size).toBe(names.length)
  })

  test.each([
    ['the least values', least],
    ['all values', everything],
  ])('gives each program settings that it accepts, from %s', async (_, values) => {
    const objects = await render(values)
    const shared = {
      ...objects.find(({ kind }) => kind === 'ConfigMap')?.data,
      ...objects.find(({ kind }) => kind === 'Secret')?.stringData,
    }
    for (const name of ['portal', 'gateway', 'media'].filter((one) => hasWorkload(objects, one))) {
      const { env, envFrom } = containerOf(objects, name)
      const own = Object.fromEntries(
        env
          .filter((one) => one.name !== 'POD_IP')
          .map((one) => [one.name, one.value ?? valueOfField(one.name)]),
      )
      const problems =
        envFrom === undefined ? problemsOfMediaHost(own) : problemsOfPortal({ ...shared, ...own })
      expect(problems, name).toEqual([])
    }
  })

  test('selects the pods that it makes, and points services at ports that they have', async () => {
    const objects = await render(everything)
    for (const name of ['portal', 'gateway', 'media']) {
      const { selector, template } = workloadOf(objects, name)
      expect(template.metadata.labels).toMatchObject(selector.matchLabels)
    }
    for (const name of ['portal', 'gateway']) {
      const service = z
        .object({
          selector: z.record(z.string(), z.string()),
          ports: z.array(z.looseObject({ targetPort: z.string() })),
        })
        .parse(specOf(objects, 'Service', name))
      expect(workloadOf(objects, name).template.metadata.labels).toMatchObject(service.selector)
      const ports = containerOf(objects, name).ports.map((port) => port.name)
      expect(service.ports.map(({ targetPort }) => targetPort)).toEqual(ports)
    }
  })

  test('leaves the number of pods to the autoscaler if there is one', async () => {
    expect(workloadOf(await render(least), 'portal').replicas).toBe(2)
    expect(workloadOf(await render(everything), 'portal').replicas).toBeUndefined()
  })

  test('opens every second port of the node for engines, and those between for relays', async () => {
    const ports = containerOf(await render(everything), 'media').ports.map(({ hostPort }) => hostPort)
    expect(ports).toEqual([44444, 44445, 44446, 44447, 44448, 44449])
    expect(containerOf(await render(least), 'media').ports).toMatchObject([
      { hostPort: 44444, protocol: 'UDP' },
    ])
  })

  test('gives media engines no secret but their token', async () => {
    const { envFrom, env } = containerOf(await render(everything), 'media')
    expect(envFrom).toBeUndefined()
    expect(env.map(({ name }) => name)).toEqual(expect.not.arrayContaining(Object.keys(secrets).slice(0, -1)))
  })

  test('restarts pods when a setting changes', async () => {
    const annotations = async (values: object) =>
      workloadOf(await render(values), 'portal').template.metadata.annotations
    expect(await annotations(least)).toEqual(await annotations(least))
    expect(await annotations({ ...least, settings: { APP_NAME: 'Example' } })).not.toEqual(
      await annotations(least),
    )
  })

  test.each([
    ['host', { ...least, host: '' }],
    ['trustedProxies', { ...least, trustedProxies: [] }],
    ['secrets.SECRET_KEY', { ...least, secrets: { ...secrets, SECRET_KEY: '' } }],
    ['secrets.MEET_ENGINE_TOKEN', { ...least, secrets: { ...secrets, MEET_ENGINE_TOKEN: '' } }],
    ['settings.FILESYSTEM_DISK', { ...least, settings: { FILESYSTEM_DISK: 'local' } }],
  ])('refuses values without a usable %s and names it', async (name, values) => {
    await expect(render(values)).rejects.toThrow(name)
  })
})

test('the chart belongs to the current version', async () => {
  const { version } = z
    .object({ version: z.string() })
    .parse(JSON.parse(await readFile(join(chart, '../../package.json'), 'utf8')))
  expect(parse(await readFile(join(chart, 'Chart.yaml'), 'utf8'))).toMatchObject({ appVersion: version })
})

test.each([
  ['a misspelt value', { portal: { replica: 3 } }],
  ['a number as a setting', { settings: { MEET_MAX_PARTICIPANTS: 10 } }],
  ['an address instead of a network', { trustedProxies: ['10.0.0.1'] }],
])('the schema of the values refuses %s', (_, values) => {
  expect(valuesProblems(values)).not.toEqual([])
})

test('the schema describes each value', async () => {
  const values: unknown = parse(await readFile(join(chart, 'values.yaml'), 'utf8'))
  expect(valuesProblems(values)).toEqual([])
})

function valuesProblems(values: unknown): string[] {
  const validate = new Ajv({ allErrors: true }).compile(
    // a schema, which Ajv checks itself
    JSON.parse(readFileSync(join(chart, 'values.schema.json'), 'utf8')) as object,
  )
  return validate(values)
    ? []
    : (validate.errors ?? []).map((error) => `${error.instancePath} ${error.message}`)
}

/** Rejects with the template's own words if it refuses the values. */
async function render(values: object): Promise<KubernetesObject[]> {
  const file = join(folder, `${crypto.randomUUID()}.yaml`)
  await writeFile(file, stringify(values))
  const { stdout } = await promisify(execFile)(renderer, [chart, file])
  return parseAllDocuments(stdout)
    .map((document) => {
      if (document.errors.length > 0) throw new Error(`${document.errors[0]?.message}\n${stdout}`)
      return document.toJS() as unknown
    })
    .filter((content) => content !== null && content !== undefined)
    .map((content) => object.parse(content))
}

function specOf(objects: readonly KubernetesObject[], kind: string, name: string): unknown {
  const found = objects.find((one) => one.kind === kind && one.metadata.name === `portal-${name}`)
  if (found === undefined) throw new Error(`no ${kind} ${name}`)
  return found.spec
}

function workloadOf(objects: readonly KubernetesObject[], name: string) {
  return workload.parse(specOf(objects, 'Deployment', name))
}

function hasWorkload(objects: readonly KubernetesObject[], name: string): boolean {
  return objects.some((one) => one.kind === 'Deployment' && one.metadata.name === `portal-${name}`)
}

function containerOf(objects: readonly KubernetesObject[], name: string) {
  return workloadOf(objects, name).template.spec.containers[0]
}

/** What the cluster fills in. */
function valueOfField(name: string): string {
  return name === 'MEET_ENGINE_TOKEN' ? secrets.MEET_ENGINE_TOKEN : '192.0.2.7'
}
