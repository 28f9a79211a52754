import { z } from 'zod'

const port = z.number().int().min(0).max(65_535)

/** Options for an engine's process. */
export const engineOptions = z.object({
  /** 0 for any free port. */
  udpPort: port,
  /** Falls back to any free port if that one is in use. */
  orAnotherPort: z.boolean().default(false),
  /** Defaults to all addresses of the machine. */
  bindAddress: z.string().optional(),
  /** Addresses announced to browsers, preferred first; defaults to those that it is bound to. */
  announced: z.array(z.string()).default([]),
  /** Port announced to browsers, e.g. behind a NAT; defaults to our own. */
  announcedPort: port.optional(),
  /** Second port for browsers behind a relay; if absent, they use the first one. */
  relayPort: port.optional(),
})

export type EngineOptions = z.input<typeof engineOptions>
