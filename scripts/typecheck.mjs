// Type-checks all workspaces in parallel, each on one thread, because several threads check shared types repeatedly.
import { spawn } from 'node:child_process'

const projects = [
  'packages/contract',
  'packages/client',
  'packages/media',
  'packages/server',
  'packages/web',
  'e2e',
  'bench',
  'deploy/mail',
  'deploy/tests',
  'scripts',
]
const codes = await Promise.all(
  projects.map(
    (project) =>
      new Promise((resolve) => {
        spawn(process.execPath, ['node_modules/typescript/bin/tsc', '-p', project, '--singleThreaded'], {
          stdio: 'inherit',
          // trades memory for time: collects garbage less often
          env: { GOGC: '400', ...process.env },
        }).once('exit', resolve)
      }),
  ),
)
if (codes.some((code) => code !== 0)) process.exitCode = 1
