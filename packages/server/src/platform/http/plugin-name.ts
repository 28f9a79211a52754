import type { FastifyPluginAsync } from 'fastify'

/**
 * Names a plugin. For one without a display name, Fastify looks through all loaded modules for the file that
 * exports it, which takes a sixth of the start of a server.
 */
export function named(name: string, plugin: FastifyPluginAsync): FastifyPluginAsync {
  return Object.assign(plugin, { [Symbol.for('fastify.display-name')]: name })
}
