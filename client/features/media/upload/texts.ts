/** What the upload pages say on the screen; the status texts that docs/product.md fixes stand in `view.ts`. */
export const texts = {
  offline: 'You’re offline. Uploads resume automatically.',
  offlineKeepOpen: 'You’re offline. Uploads resume automatically if you keep this tab open.',
  meanwhile: 'You can keep browsing, as long as this tab stays open.',
  interrupted: 'Interrupted. Resumes automatically.',
  modes: {
    signed: { label: 'Several at once', description: 'Fastest. Interrupted uploads resume.' },
    chunked: {
      label: 'One at a time, in chunks',
      description: 'For connections that drop often or refuse large requests.',
    },
  },
  noFile: 'You must select a file to upload.',
  unfinished: {
    title: 'Unfinished uploads',
    failed: 'Unfinished uploads couldn’t be loaded',
    nothingArrived: 'Nothing has arrived yet.',
    arrived: (percent: string) => `${percent} uploaded.`,
    resume: 'Choose the file again to resume',
    discard: (fileName: string) => `Discard ${fileName}`,
  },
  cancel: (fileName: string) => `Cancel ${fileName}`,
  remove: (fileName: string) => `Remove ${fileName}`,
} as const
