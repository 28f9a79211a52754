import { z } from 'zod'

const port = z.number().int().min(0).max(65_535)

/** What an engine's process is started with. */
export const engineOptions = z.object({
  /** 0: any that is free. */
  udpPort: port,
  /** Takes any free port if that one is taken. */
  orAnotherPort: z.boolean().default(false),
  /** Absent: all addresses of the machine. */
  bindAddress: z.string().optional(),
  /** Addresses that browsers are told, the best first; empty: those that it is bound to. */
  announced: z.array(z.string()).default([]),
  /** Port that browsers are told, where something stands before ours; absent: ours. */
  announcedPort: port.optional(),
  /** Second port, for browsers that come through a relay; absent: they come as all others. */
  relayPort: port.optional(),
})

export type EngineOptions = z.input<typeof engineOptions>
