import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chmod, mkdir, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { promisify } from 'node:util'
import { nginxConf } from './nginx-conf.ts'
import { type NginxDescription, nginxPaths } from './nginx-description.ts'

const run = promisify(execFile)

export const nginxProgram = '/usr/sbin/nginx'

/** Whether nginx is installed with what the suite uses (Debian: `nginx-light`, `libnginx-mod-mail`, `libnginx-mod-stream`). */
export const hasNginx = [
  nginxProgram,
  '/usr/lib/nginx/modules/ngx_mail_module.so',
  '/usr/lib/nginx/modules/ngx_stream_module.so',
].every(existsSync)

/** Writes the configuration of an instance, and a certificate of its own if none is given. */
export async function writeNginx(description: NginxDescription): Promise<void> {
  const { folder, hostname, certificate } = description
  await mkdir(folder, { recursive: true, mode: 0o755 })
  if (!existsSync(certificate.certificate)) await makeCertificate(hostname, certificate)
  // it contains the portal's secret
  await writeFile(nginxPaths(folder).configuration, nginxConf(description), { mode: 0o600 })
}

/** Arguments that run an instance in the foreground. */
export function nginxArguments(folder: string): readonly string[] {
  const { configuration, log } = nginxPaths(folder)
  return ['-c', configuration, '-p', folder, '-e', log, '-g', 'daemon off;']
}

/** A certificate that programs must be told to trust. */
async function makeCertificate(hostname: string, files: NginxDescription['certificate']): Promise<void> {
  await mkdir(dirname(files.certificate), { recursive: true })
  await run('openssl', [
    ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'],
    ...['-days', '825', '-subj', `/CN=${hostname}`],
    ...['-addext', `subjectAltName=DNS:${hostname},DNS:localhost,IP:127.0.0.1`],
    ...['-keyout', files.key, '-out', files.certificate],
  ])
  await chmod(files.key, 0o600)
}
