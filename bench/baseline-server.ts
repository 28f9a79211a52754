import Fastify from 'fastify'
import pg from 'pg'

/**
 * Baseline for requests: the bare framework returns one row, read by primary key with a prepared statement.
 * Arguments: database URL, port.
 */
const [url = '', port = '0'] = process.argv.slice(2)
const pool = new pg.Pool({ connectionString: url, max: 20 })
const fastify = Fastify()
fastify.get<{ Params: { id: string } }>('/users/:id', async (request) => {
  const { rows } = await pool.query({
    name: 'user',
    text: 'select id, email, status, tenant_id, created_at, updated_at from users where id = $1',
    values: [request.params.id],
  })
  return rows[0]
})
await fastify.listen({ port: Number(port), host: '127.0.0.1' })
process.stdout.write('is ready\n')
process.once('SIGTERM', async () => {
  await fastify.close()
  await pool.end()
})
