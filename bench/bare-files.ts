import { createReadStream, createWriteStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import Fastify from 'fastify'

/**
 * Baseline for file transfers: the bare framework streams a file to disk and back. Like Gatehouse, it flushes
 * to disk before it responds. Arguments: folder, port.
 */
const [folder = '.', port = '0'] = process.argv.slice(2)
const file = join(folder, 'raw')
const fastify = Fastify()
fastify.removeAllContentTypeParsers()
fastify.addContentTypeParser('*', (_request, payload, done) => done(null, payload))
fastify.put('/raw', async (request) => {
  await pipeline(request.raw, createWriteStream(file, { flush: true }))
  return { ok: true }
})
fastify.get('/raw', async (_request, reply) => {
  const { size } = await stat(file)
  return reply.header('content-length', size).type('application/octet-stream').send(createReadStream(file))
})
await fastify.listen({ port: Number(port), host: '127.0.0.1' })
process.stdout.write('is ready\n')
process.once('SIGTERM', () => fastify.close())
