import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { EngineLoad } from './engine.ts'
import type { Traffic } from './rooms/context.ts'

/** Measures the load of an engine's process since the last reading. */
export class LoadMeter {
  readonly #traffic: Traffic
  readonly #count: () => { readonly rooms: number; readonly peers: number }
  readonly #delay = monitorEventLoopDelay({ resolution: 10 })
  #before: {
    readonly at: number
    readonly cpu: NodeJS.CpuUsage
    readonly packets: number
    readonly bytes: number
  }

  constructor(traffic: Traffic, count: () => { readonly rooms: number; readonly peers: number }) {
    this.#traffic = traffic
    this.#count = count
    this.#delay.enable()
    this.#before = this.#take()
  }

  #take() {
    const { packetsOut: packets, bytesOut: bytes } = this.#traffic
    return { at: performance.now(), cpu: process.cpuUsage(), packets, bytes }
  }

  read(): EngineLoad {
    const before = this.#before
    const now = this.#take()
    this.#before = now
    const seconds = Math.max(0.001, (now.at - before.at) / 1000)
    const microseconds = now.cpu.user + now.cpu.system - before.cpu.user - before.cpu.system
    const delay = this.#delay.percentile(99) / 1e6
    this.#delay.reset()
    return {
      ...this.#count(),
      packetsOut: Math.round((now.packets - before.packets) / seconds),
      bitsOut: Math.round(((now.bytes - before.bytes) * 8) / seconds),
      cpu: microseconds / 1e6 / seconds,
      delay: Number.isFinite(delay) ? delay : 0,
      memory: process.memoryUsage.rss(),
    }
  }
}
