import type { Context } from '../../context.ts'
import type { JobHandlers } from '../../jobs/catalogue.ts'
import { forgetDeliveries } from './delivery/actions.ts'
import { purgeMedia } from './library/deleting/jobs.ts'
import { countWords } from './search/actions.ts'
import { countTags } from './tags/actions.ts'
import { processUpload, sweepUploads } from './uploads/jobs.ts'
import { removeFiles, takePoster } from './uploads/own-files/jobs.ts'
import { countPopularity } from './viewing/discover/actions.ts'

/** The background jobs of this folder, by name. */
export const mediaJobs = (context: Context) =>
  ({
    'media.process': ({ uploadId }) => processUpload(context, uploadId),
    'media.sweep': async () => {
      await sweepUploads(context)
      await context.db.transaction().execute((tx) => forgetDeliveries(tx, context.clock.now()))
    },
    'media.purge': () => purgeMedia(context),
    'media.remove-files': (file) => removeFiles(context, file),
    'media.poster': (frame, run) => takePoster(context, frame, run),
    'tags.count': () => context.db.transaction().execute(countTags),
    'popularity.count': () => countPopularity(context.db),
    'search.count': () => context.db.transaction().execute(countWords),
  }) satisfies Partial<JobHandlers>
