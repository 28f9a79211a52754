import * as apps from 'kubernetes-models/apps/v1'
import * as autoscaling from 'kubernetes-models/autoscaling/v2'
import * as batch from 'kubernetes-models/batch/v1'
import * as networking from 'kubernetes-models/networking.k8s.io/v1'
import * as policy from 'kubernetes-models/policy/v1'
import * as core from 'kubernetes-models/v1'
import { z } from 'zod'

/** The schemas that Kubernetes publishes, by `apiVersion`. */
const published: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  v1: { ...core },
  'apps/v1': { ...apps },
  'autoscaling/v2': { ...autoscaling },
  'batch/v1': { ...batch },
  'networking.k8s.io/v1': { ...networking },
  'policy/v1': { ...policy },
}

const head = z.looseObject({ apiVersion: z.string(), kind: z.string() })

/** A class of objects that check themselves. */
type Kind = new (content: object) => { validate(): void }

/** What Kubernetes would refuse in an object: wrong values, and properties that it doesn't know. */
export function invalidParts(content: object): string[] {
  const { apiVersion, kind } = head.parse(content)
  const found = published[apiVersion]?.[kind]
  if (typeof found !== 'function') return [`${apiVersion} ${kind}: unknown`]
  const read = new Set<string>()
  try {
    // a class, as each function with the name of a kind is
    const object = new (found as Kind)(watched(content, '', read) as object)
    object.validate()
  } catch (error) {
    return [`${kind}: ${error instanceof Error ? error.message : String(error)}`]
  }
  return pathsOf(content, '')
    .filter((path) => !read.has(path))
    .map((path) => `${kind}${path}: unknown property`)
}

/**
 * A copy that notes which properties are read. Validation reads each property of the schema, and those of maps with
 * any keys; the schemas allow further properties, but the API server refuses or drops them.
 */
function watched(value: unknown, path: string, read: Set<string>): unknown {
  if (Array.isArray(value)) return value.map((one, index) => watched(one, `${path}/${index}`, read))
  if (typeof value !== 'object' || value === null) return value
  const copy = Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, watched(inner, `${path}/${name}`, read)]),
  )
  return new Proxy(copy, {
    get(target, name) {
      read.add(`${path}/${String(name)}`)
      return Reflect.get(target, name) as unknown
    },
  })
}

function pathsOf(value: unknown, path: string): string[] {
  if (Array.isArray(value)) return value.flatMap((one, index) => pathsOf(one, `${path}/${index}`))
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, inner]) => [
    `${path}/${name}`,
    ...pathsOf(inner, `${path}/${name}`),
  ])
}
