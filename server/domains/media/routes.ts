import { libraryHandlers } from './library/routes.ts'
import { uploadHandlers } from './uploads/routes.ts'
import { viewingHandlers } from './viewing/routes.ts'

export const mediaHandlers = { ...uploadHandlers, ...libraryHandlers, ...viewingHandlers }
