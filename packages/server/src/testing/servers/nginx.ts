import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { vi } from 'vitest'
import { servicesSecret } from './mail-services.ts'

const binary = '/usr/sbin/nginx'
const mailModule = '/usr/lib/nginx/modules/ngx_mail_module.so'

/** Whether nginx is installed with its mail module (Debian: `nginx-light` and `libnginx-mod-mail`). */
export const hasNginx = existsSync(binary) && existsSync(mailModule)

export interface NginxPorts {
  readonly portal: number
  readonly imap: number
  readonly smtp: number
  readonly web: number
  readonly groupware: number
}

/** Startup timeout in milliseconds, long enough for a busy machine. */
const patience = 10_000

/** Starts nginx in front of mail and groupware servers, as in docs/OPERATIONS.md. */
export async function startNginx(ports: NginxPorts): Promise<AsyncDisposable> {
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-nginx-'))
  const file = join(folder, 'nginx.conf')
  await writeFile(file, configuration(folder, ports))
  const server = spawn(binary, ['-c', file, '-p', folder, '-e', join(folder, 'error.log')], {
    stdio: 'ignore',
  })
  await Promise.all(
    [ports.imap, ports.smtp, ports.web].map((port) => vi.waitFor(() => knock(port), { timeout: patience })),
  )
  return {
    [Symbol.asyncDispose]: async () => {
      await ended(server)
      await rm(folder, { recursive: true, force: true })
    },
  }
}

function ended(server: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    server.once('exit', () => resolve())
    server.kill('SIGTERM')
  })
}

/** Rejects if nothing listens. */
function knock(port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy()
      resolve()
    })
    socket.once('error', reject)
  })
}

function configuration(folder: string, { portal, imap, smtp, web, groupware }: NginxPorts): string {
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
  return `
load_module ${mailModule};
daemon off;
user root;
worker_processes 1;
pid ${folder}/nginx.pid;
events {}

mail {
  server_name mail.example.test;
  auth_http 127.0.0.1:${portal}/api/webhooks/nginx;
  auth_http_header X-Services-Secret "${servicesSecret}";
  auth_http_timeout 60s;
  proxy_pass_error_message on;
  server {
    listen 127.0.0.1:${imap};
    protocol imap;
    imap_auth plain login;
    imap_capabilities IMAP4rev1;
  }
  server {
    listen 127.0.0.1:${smtp};
    protocol smtp;
    smtp_auth plain login;
    proxy_smtp_auth on;
    xclient off;
  }
}

http {
  access_log off;
  ${temporary.map((name) => `${name}_temp_path ${folder}/${name};`).join('\n  ')}
  server {
    listen 127.0.0.1:${web};
    location /dav/ {
      auth_request /gatehouse-auth;
      proxy_pass http://127.0.0.1:${groupware};
    }
    location = /gatehouse-auth {
      internal;
      proxy_pass http://127.0.0.1:${portal}/api/webhooks/nginx-httpauth;
      proxy_pass_request_body off;
      proxy_pass_request_headers off;
      proxy_set_header Authorization $http_authorization;
      proxy_set_header X-Services-Secret "${servicesSecret}";
      proxy_set_header X-Real-Ip $remote_addr;
    }
  }
}
`
}
