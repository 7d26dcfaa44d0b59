import type { Context } from '../../context.ts'
import type { JobHandlers } from '../../jobs/catalogue.ts'
import { processUpload, sweepUploads } from './uploads/jobs.ts'

export function mediaJobs(context: Context): Pick<JobHandlers, 'media.process' | 'media.sweep'> {
  return {
    'media.process': ({ uploadId }, run) => processUpload(context, uploadId, run),
    'media.sweep': () => sweepUploads(context),
  }
}
