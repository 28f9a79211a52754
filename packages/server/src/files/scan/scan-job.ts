import { z } from 'zod'
import { defineJob } from '../../platform/jobs/job.ts'

/** Scans a content for viruses. */
export const scanJob = defineJob('files:scan', z.object({ contentId: z.uuid() }))
