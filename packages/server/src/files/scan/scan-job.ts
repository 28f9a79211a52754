import { z } from 'zod'
import { defineJob } from '../../platform/jobs/job.ts'

/** Has a content looked at by the virus scanner. */
export const scanJob = defineJob('files:scan', z.object({ contentId: z.uuid() }))
