import { ageHandlers } from './age/routes.ts'
import { auditHandlers } from './audit/routes.ts'
import { contactHandlers } from './contact/routes.ts'
import { erasureHandlers } from './erasure/routes.ts'
import { exportHandlers } from './exports/routes.ts'
import { regionHandlers } from './regions/routes.ts'
import { senatorHandlers } from './senators/routes.ts'

export const complianceHandlers = {
  ...ageHandlers,
  ...auditHandlers,
  ...contactHandlers,
  ...erasureHandlers,
  ...exportHandlers,
  ...regionHandlers,
  ...senatorHandlers,
}
