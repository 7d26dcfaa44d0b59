import { libraryHandlers } from './library/routes.ts'
import { performerHandlers } from './performers/routes.ts'
import { quarantineHandlers } from './quarantine/routes.ts'
import { searchHandlers } from './search/routes.ts'
import { tagHandlers } from './tags/routes.ts'
import { uploadHandlers } from './uploads/routes.ts'
import type { FindOwed } from './viewing/data.ts'
import { viewingHandlers, viewMedia } from './viewing/routes.ts'

/** The calls of the domain, with what they ask of domains above. */
export const mediaHandlers = (asks: { findOwed: FindOwed }) => ({
  ...uploadHandlers,
  ...libraryHandlers,
  ...performerHandlers,
  ...quarantineHandlers,
  ...tagHandlers,
  ...searchHandlers,
  ...viewingHandlers,
  viewMedia: viewMedia(asks.findOwed),
})
