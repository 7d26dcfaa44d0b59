import { ageHandlers } from './age/routes.ts'
import { contactHandlers } from './contact/routes.ts'
import { erasureHandlers } from './erasure/routes.ts'
import { exportHandlers } from './exports/routes.ts'
import { regionHandlers } from './regions/routes.ts'
import { senatorHandlers } from './senators/routes.ts'

export const complianceHandlers = {
  ...ageHandlers,
  ...contactHandlers,
  ...erasureHandlers,
  ...exportHandlers,
  ...regionHandlers,
  ...senatorHandlers,
}
