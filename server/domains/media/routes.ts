import { libraryHandlers } from './library/routes.ts'
import { performerHandlers } from './performers/routes.ts'
import { quarantineHandlers } from './quarantine/routes.ts'
import { searchHandlers } from './search/routes.ts'
import { tagHandlers } from './tags/routes.ts'
import { uploadHandlers } from './uploads/routes.ts'
import { type ListOwed, viewingHandlers, viewMedia } from './viewing/routes.ts'

/** The calls of the domain, with what they ask of domains above. */
export const mediaHandlers = (asks: { listOwed: ListOwed }) => ({
  ...uploadHandlers,
  ...libraryHandlers,
  ...performerHandlers,
  ...quarantineHandlers,
  ...tagHandlers,
  ...searchHandlers,
  ...viewingHandlers,
  viewMedia: viewMedia(asks.listOwed),
})
