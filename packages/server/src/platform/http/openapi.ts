import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import { errorEnvelope } from '@gatehouse/contract/envelope'
import type { FastifyInstance } from 'fastify'
import { createJsonSchemaTransform, createJsonSchemaTransformObject } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { describedOnly } from './describe-call.ts'

/** Schemas that calls refer to. The body of errors, repeated for each status, would be nine tenths of the document. */
const schemaRegistry = z.registry<{ id: string }>().add(errorEnvelope, { id: 'Error' })
const transformCall = createJsonSchemaTransform({ schemaRegistry })

/** Serves the OpenAPI 3.1 description at `/api/openapi.json`, with a viewer at `/api/docs`. */
export async function serveOpenApi(fastify: FastifyInstance, name: string, url: string): Promise<void> {
  await fastify.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: { title: `${name} API`, version: '4' },
      servers: [{ url }],
      components: {
        securitySchemes: {
          bearer: {
            type: 'http',
            scheme: 'bearer',
            description: 'The access token of a session or application',
          },
          apiKey: {
            type: 'http',
            scheme: 'bearer',
            bearerFormat: 'gh_<prefix>_<secret>_<checksum>',
            description: 'An API key with the scope of the call, created by a user under “Security”',
          },
        },
      },
    },
    transform: (route) => {
      const described = transformCall(route)
      return { ...described, url: described.url.replace(describedOnly, '#staff') }
    },
    transformObject: createJsonSchemaTransformObject({ schemaRegistry }),
  })
  await fastify.register(swaggerUi, {
    routePrefix: '/api/docs',
    uiConfig: {
      ...{ deepLinking: true, tryItOutEnabled: false },
      // groups that open one by one, without the viewer's own header
      ...{ layout: 'BaseLayout', docExpansion: 'none', filter: true, defaultModelsExpandDepth: -1 },
    },
    uiHooks: {
      onRequest: (request, reply, done) => {
        void reply.header('content-security-policy', contentSecurityPolicy(request.host))
        done()
      },
    },
  })
  fastify.get('/api/openapi.json', { schema: { hide: true } }, () => fastify.swagger())
}

/** The viewer's tags don't support nonces, so its scripts are allowed by path. */
function contentSecurityPolicy(host: string): string {
  const own = /^[\w.-]+(:\d+)?$/.test(host) ? host : undefined
  return [
    "default-src 'none'",
    `script-src ${own === undefined ? "'self'" : `${own}/api/docs/static/`}`,
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self' data:",
    "connect-src 'self'",
    "form-action 'none'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
}
