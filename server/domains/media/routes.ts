import { libraryHandlers } from './library/routes.ts'
import { performerHandlers } from './performers/routes.ts'
import { quarantineHandlers } from './quarantine/routes.ts'
import { searchHandlers } from './search/routes.ts'
import { tagHandlers } from './tags/routes.ts'
import { uploadHandlers } from './uploads/routes.ts'
import { viewingHandlers } from './viewing/routes.ts'

export const mediaHandlers = {
  ...uploadHandlers,
  ...libraryHandlers,
  ...performerHandlers,
  ...quarantineHandlers,
  ...tagHandlers,
  ...searchHandlers,
  ...viewingHandlers,
}
