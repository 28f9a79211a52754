import { Counter, Histogram, type Registry } from 'prom-client'
import type { Tracer } from '../../../platform/tracing/tracer.ts'
import type { Observer } from './observer.ts'

/** Returns an observer that measures and traces the requests of mail servers, and counts their connections. */
export function observeProtocols(
  metrics: Registry,
  tracer: Tracer,
): Required<Pick<Observer, 'onAnswer' | 'onEnd'>> {
  const answers = new Histogram({
    name: 'gatehouse_mail_request_duration_seconds',
    help: 'Time that mail servers waited for a decision, by protocol, kind of request and outcome',
    labelNames: ['protocol', 'request', 'outcome'],
    buckets: [0.001, 0.005, 0.02, 0.1, 0.5, 2, 10, 60],
    registers: [metrics],
  })
  const connections = new Counter({
    name: 'gatehouse_mail_connections_total',
    help: 'Connections of mail servers that ended, by protocol and reason',
    labelNames: ['protocol', 'ending'],
    registers: [metrics],
  })
  return {
    onAnswer: ({ protocol, label, outcome, milliseconds }) => {
      answers.observe({ protocol, request: label, outcome }, milliseconds / 1000)
      tracer
        .start({
          ...{ kind: 'server', name: `mail ${protocol} ${label}` },
          begunAt: performance.timeOrigin + performance.now() - milliseconds,
          attributes: { 'mail.protocol': protocol, 'mail.request': label, 'mail.outcome': outcome },
        })
        .end({ hasFailed: outcome !== 'answered' })
    },
    onEnd: ({ protocol, ending }) => connections.inc({ protocol, ending }),
  }
}
