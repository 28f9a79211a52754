import { z } from 'zod'
import { sku } from '../billing/subscriptions.ts'
import { successEnvelope } from '../envelope.ts'
import { pagedList } from '../list.ts'
import { borrowedCallers, type RouteDefinition } from '../route.ts'
import { objectListQuery, objectStatusInfo, refreshOutcome, statusQuery } from './directory.ts'
import { type Kind, kinds, type PathOf } from './kinds.ts'
import { objectId, objectIdParams } from './users.ts'

/** Schemas that differ between kinds. */
interface KindSchemas<Sort extends string, Item, Detail, Flags, Create, Config> {
  readonly sorts: readonly Sort[]
  readonly item: Item
  readonly detail: Detail
  /** Status flags. */
  readonly flags: Flags
  readonly create: Create
  readonly config: Config
  /** Maximum bytes of a create or update body. */
  readonly bodyLimit?: number
}

/** Methods and paths of the calls, below `/api/v4/{path}`. */
const places = {
  list: 'GET ',
  create: 'POST ',
  read: 'GET /{id}',
  update: 'PUT /{id}',
  remove: 'DELETE /{id}',
  restore: 'POST /{id}/restore',
  skus: 'GET /{id}/skus',
  status: 'GET /{id}/status',
  config: 'POST /{id}/config',
} as const

type Act = keyof typeof places

type Key<P extends string, A extends Act> = (typeof places)[A] extends `${infer Method} ${infer Rest}`
  ? `${Method} /api/v4/${P}${Rest}`
  : never

type Keyed<P extends string, Calls> = { readonly [A in keyof Calls & Act as Key<P, A>]: Calls[A] }

/** Prefixes calls with the path of a kind. */
function below<P extends string, const Calls extends { readonly [A in Act]?: RouteDefinition }>(
  path: P,
  calls: Calls,
): Keyed<P, Calls> {
  const keyed = Object.entries(calls).map(([act, call]) => {
    const [method, rest = ''] = places[act as Act].split(' ') // the keys of calls are actions
    return [`${method} /api/v4/${path}${rest}`, call]
  })
  return Object.fromEntries(keyed) as Keyed<P, Calls> // fromEntries loses the keys, which were built just before
}

interface KindFacts<K extends Kind> {
  readonly path: PathOf<K>
  readonly noun: string
  readonly plural: string
}

/**
 * The calls shared by all kinds of objects with addresses. A kind overrides those that differ by spreading its
 * own.
 */
export function kindRoutes<
  K extends Kind,
  Sort extends string,
  Item extends z.ZodObject,
  Detail extends z.ZodObject,
  Flags extends z.ZodObject,
  Create extends z.ZodObject,
  Config extends z.ZodObject,
>(kind: K, schemas: KindSchemas<Sort, Item, Detail, Flags, Create, Config>) {
  const { sorts, item, detail, flags, create, config, bodyLimit } = schemas
  const { path, noun, plural }: KindFacts<K> = kinds[kind]
  const any = { tag: plural, auth: 'token', openTo: borrowedCallers } as const
  const own = { ...any, hosts: ['user'] } as const
  const params = objectIdParams
  return below(path, {
    list: {
      ...own,
      summary: `List ${plural.toLowerCase()} in the accounts that the caller owns or controls`,
      query: objectListQuery.extend({ sort: z.enum(sorts).nullish() }),
      ok: pagedList(item).extend({ total: z.number().int(), message: z.string() }),
      errors: [401, 403, 404, 422],
    },
    create: {
      ...own,
      summary: `Create a ${noun}`,
      body: create,
      ...(bodyLimit !== undefined && { bodyLimit }),
      ok: successEnvelope.extend({ id: objectId }),
      errors: [401, 403, 404, 422],
    },
    read: { ...own, params, summary: `Get a ${noun}`, ok: detail, errors: [401, 403, 404] },
    remove: { ...own, params, summary: `Delete a ${noun}`, ok: successEnvelope, errors: [401, 403, 404] },
    restore: {
      ...own,
      params,
      summary: `Restore a deleted ${noun}`,
      body: z.object({}),
      ok: successEnvelope,
      errors: [401, 403, 404, 422],
    },
    skus: {
      ...any,
      params,
      summary: `List subscriptions of a ${noun}, including available ones`,
      ok: z.array(sku),
      errors: [401, 403, 404],
    },
    status: {
      ...any,
      params,
      summary: `Get setup progress and state of a ${noun}`,
      query: statusQuery,
      ok: objectStatusInfo.extend({ ...flags.shape, ...refreshOutcome } as Flags['shape'] &
        typeof refreshOutcome),
      errors: [401, 403, 404, 422],
    },
    config: {
      ...own,
      params,
      summary: `Change settings of a ${noun}, all keys or none`,
      body: config,
      ok: successEnvelope,
      errors: [401, 403, 404, 422],
    },
  })
}

/** The update call of an object's form, with the revision that the form started from. */
export function updateRoute<K extends Kind, Update extends z.ZodObject>(
  kind: K,
  facts: { readonly summary: string; readonly body: Update; readonly bodyLimit?: number },
) {
  const { path, plural }: KindFacts<K> = kinds[kind]
  return below(path, {
    update: {
      ...facts,
      tag: plural,
      auth: 'token',
      openTo: borrowedCallers,
      hosts: ['user'],
      params: objectIdParams,
      ok: successEnvelope.extend({ revision: z.string() }),
      errors: [401, 403, 404, 409, 422],
    },
  })
}
